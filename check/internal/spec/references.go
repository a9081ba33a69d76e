package spec

import "shmbench/shm"

// References is the name of the claim of an exact number of remote memory references in a
// model.
func References(m shm.RMRModel) string { return "remote memory references, " + string(m) }

// compareReferences compares the remote memory references of a passage with the formulas
// of the specification. Where passages are limited, a formula may be unbounded: it counts what
// any number of passages of others cost. One passage of each process may be too few to
// cost all that a passage can cost.
func (s Expected) compareReferences(f Found, c *Comparison) {
	for _, m := range shm.RMRModels {
		says, got := s.Algorithm.Claims.References.In(m), f.References[m]
		if says == nil || got == nil || f.N < 2 || s.Placed {
			continue
		}
		want := says.Of(f.N)
		if want == shm.Unknown || want == *got || f.Passages > 0 && want == shm.Unbounded || f.Passages == 1 && *got != shm.Unbounded && *got < want {
			continue
		}
		c.lose(ifMore(References(m), *got, want), "a passage makes %s remote memory references (%s), the specification says %s", atMost(*got), m, atMost(want))
	}
}

func atMost(k int) string {
	if k == shm.Unbounded {
		return "an unbounded number of"
	}
	return "at most " + Bound(k)
}
