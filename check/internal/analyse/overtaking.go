package analyse

import (
	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
)

// Overtaking is an execution that is not first-come-first-served: from From,
// where process First is past its doorway and Second has not begun, to To,
// where Second is in and First is not.
type Overtaking struct {
	First, Second int
	From, To      uint32
	// Path is the actors that step on the way.
	Path []int
}

// Overtaking returns a shortest overtaking, or nil if there is none. past tells,
// by process and local state of the entry section, whether it is past its doorway.
func (s *Space) Overtaking(past [][]bool) *Overtaking {
	var best *Overtaking
	for i := range s.N {
		for j := range s.N {
			if i == j {
				continue
			}
			if o := s.overtakes(past, i, j); o != nil && (best == nil || o.From < best.From) {
				best = o
			}
		}
	}
	return best
}

// overtakes searches, from all states at once in which i is past its doorway
// and j has not begun, for one in which j enters before i does.
func (s *Space) overtakes(past [][]bool, i, j int) *Overtaking {
	waits := func(id uint32) bool { return s.Section(id, i) == interp.Entry && past[i][s.local(id, i)] }
	t := explore.NewTrail(s.G, func(id uint32) bool { return s.Section(id, j) == interp.Remainder && waits(id) })
	last, actor, to, found := t.Follow(func(from uint32, actor int, to uint32) bool {
		if !waits(to) {
			return false
		}
		if s.party(actor) == j && s.enters(from, actor, to) {
			return true
		}
		t.Step(from, actor, to)
		return false
	})
	if !found {
		return nil
	}
	from, path := t.Path(last)
	return &Overtaking{First: i, Second: j, From: from, To: to, Path: append(path, actor)}
}
