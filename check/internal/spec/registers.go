package spec

import (
	"fmt"
	"slices"

	"shmbench/check/internal/verdict"
	"shmbench/shm"
	"shmbench/shm/futex"
)

// compareRegisters compares the registers, and what is done to them, with the
// specification. Each disagreement begins with where.
func (s Expected) compareRegisters(f Found, where string, c *Comparison) {
	if want := s.Algorithm.Class; want&shm.Opaque == 0 && f.N > 1 && want != f.Class && !(s.Placed && want|f.Class == want) {
		c.lose("", "%sthe class is %s, the specification says %s", where, f.Class, want)
	}
	for _, k := range f.Kinds {
		if i := slices.IndexFunc(s.Algorithm.Space, func(r shm.Registers) bool { return r.Name == k.Name }); k.Unbounded && i >= 0 && s.Algorithm.Space[i].Values.Of(f.N) != shm.Unbounded {
			c.Lost = append(c.Lost, Loss{verdict.BoundedRegisters, k.Name + " is unbounded"})
		}
	}
	for _, d := range SpaceDisagreements(f, s.Algorithm.Space, s.Passages) {
		c.lose("", "%s%s", where, d)
	}
}

// SpaceDisagreements says where the registers are not those of a specification. Passages is
// how many were asked for; 0 for no limit.
func SpaceDisagreements(f Found, spec shm.Space, passages int) (all []string) {
	disagree := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	if f.N < 2 { // one process need not touch every register
		return nil
	}
	listed := map[string]bool{}
	for _, want := range spec {
		listed[want.Name] = true
		i := slices.IndexFunc(f.Kinds, func(k Kind) bool { return k.Name == want.Name })
		if i < 0 && want.Count.Of(f.N) == 0 {
			continue
		}
		if i < 0 {
			disagree("no register called %s is accessed", want.Name)
			continue
		}
		got := f.Kinds[i]
		switch n := want.Count.Of(f.N); {
		case n == shm.Unbounded && f.Passages == 0:
			disagree("there are %d registers %s, the specification says that their number is unbounded", got.Count, got.Name)
		case n != shm.Unbounded && n != got.Count:
			disagree("there are %d registers %s, the specification says %d", got.Count, got.Name, n)
		}
		if want.SingleWriter && !got.SingleWriter {
			disagree("%s has more than one writer, the specification says one", got.Name)
		}
		switch values := want.Values.Of(f.N); {
		// Within a limit of passages a register that takes more values than there are
		// of these may grow, though it has not grown enough to be the reason of the limit.
		case values == shm.Unbounded && !got.Unbounded && passages == 0 && (f.Passages == 0 || got.Values <= f.Passages):
			disagree("%s takes %d values, the specification says it is unbounded", got.Name, got.Values)
		case values != shm.Unbounded && got.Unbounded:
			disagree("%s is unbounded, the specification says it takes %d values", got.Name, values)
		// Nor need one that takes so many have taken all of a bounded range.
		case values != shm.Unbounded && values != got.Values && !(f.Passages > 0 && got.Values > f.Passages && got.Values < values):
			disagree("%s takes %d values, the specification says %d", got.Name, got.Values, values)
		}
	}
	for _, k := range f.Kinds {
		if !listed[k.Name] && k.Name != futex.Register {
			disagree("the specification does not list the register %s", k.Name)
		}
	}
	return all
}
