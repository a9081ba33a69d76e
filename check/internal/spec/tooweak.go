package spec

import (
	"fmt"
	"slices"
	"strings"

	"shmbench/shm"
)

// TooWeak names the properties that hold for every n that was checked and that the
// specification does not claim. At least 2 and 3 processes, or all allowed numbers, must have
// been checked. The findings are of one lock under the same terms except n, in the order of
// n.
func (s Expected) TooWeak(all []Found) (says []string) {
	if s.Algorithm == nil || s.Placed {
		return nil
	}
	for n := 2; n <= min(3, s.Algorithm.MaxProcs); n++ {
		if !slices.ContainsFunc(all, func(f Found) bool { return f.N == n && !f.Refused && f.Exhausted }) {
			return nil
		}
	}
	last := all[len(all)-1]
	if last.weak() && !s.claimsRegisters(all) {
		return nil
	}
	for _, p := range claims {
		claimed, could := p.by(s.Algorithm, last.Terms)
		if claimed || !could || p.endless && !last.Mixed && slices.ContainsFunc(all, func(f Found) bool { return f.StarvesNarrow }) ||
			p.unlimited && last.Mixed && last.Passages > 0 || !p.holdsIn(all) {
			continue
		}
		says = append(says, "the specification is too weak: "+s.unclaimed(p, last))
	}
	if !last.weak() && (last.Mixed || len(last.Modes) < 2) {
		says = append(says, s.singleWriters(all)...)
	}
	return says
}

// holdsIn reports whether the properties of a claim hold in all findings of two or more
// processes.
func (c claim) holdsIn(all []Found) bool {
	return !slices.ContainsFunc(all, func(f Found) bool {
		return f.N > 1 && slices.ContainsFunc(c.names, func(name string) bool { return !f.Holds(name) })
	})
}

// unclaimed says that a property holds and is not claimed.
func (s Expected) unclaimed(p claim, last Found) string {
	name := strings.Join(p.names, " with ")
	switch {
	case last.weak():
		says := "nothing"
		if model := p.registers(s.Algorithm.Claims.Weakest); model != "" {
			says = string(model)
		}
		return fmt.Sprintf("%s holds on %s registers for every n that was checked, the specification says %s", name, last.Registers, says)
	case last.Mixed:
		return fmt.Sprintf("in all modes, %s holds for every n that was checked and is not claimed", name)
	}
	return fmt.Sprintf("%s holds for every n that was checked and is not claimed", name)
}

// claimsRegisters reports whether the specification has to claim what holds on registers that
// are not atomic. A lock of reads and writes has to; others may. No specification has to claim
// what holds as long as registers that it bounds do not overflow.
func (s Expected) claimsRegisters(all []Found) bool {
	if s.Algorithm.Class != shm.ReadWrite && s.Algorithm.Claims.Weakest == (shm.Weakest{}) {
		return false
	}
	return !slices.ContainsFunc(all, func(f Found) bool { return f.Overflows && s.Algorithm.Space.Bounded(f.N) })
}

// singleWriters says which registers have a single writer for every n that was checked,
// where the specification does not say so.
func (s Expected) singleWriters(all []Found) (says []string) {
	for _, r := range s.Algorithm.Space {
		single := func(k Kind) bool { return k.Name == r.Name && k.SingleWriter }
		if !r.SingleWriter && !slices.ContainsFunc(all, func(f Found) bool { return f.N > 1 && !slices.ContainsFunc(f.Kinds, single) }) {
			says = append(says, fmt.Sprintf("the specification is too weak: %s has a single writer for every n that was checked", r.Name))
		}
	}
	return says
}
