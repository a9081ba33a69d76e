package crashes

import (
	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
)

// Overtaking is an execution that is not first-come-first-served: process Second enters before
// process First, which had ended its doorway before Second began its super-passage. Path is the
// actors that step.
type Overtaking struct {
	First, Second int
	Path          []int
}

// Overtaking returns an overtaking whose beginning is the nearest, or nil if there is none. Bit is
// the mark of the states past the doorway. With keeps, the process that is passed may crash on the
// way and keeps its place; without, its place ends with a crash.
func (s *Space) Overtaking(bit int64, keeps bool) (best *Overtaking) {
	nearest := explore.None
	for i := range s.n {
		for j := range s.n {
			if i == j {
				continue
			}
			if o, from := s.overtakes(bit, keeps, i, j); o != nil && from < nearest {
				best, nearest = o, from
			}
		}
	}
	return best
}

// overtakes searches, from all states at once in which i is past its doorway and j has not
// begun, for one in which j enters before i does.
func (s *Space) overtakes(bit int64, keeps bool, i, j int) (o *Overtaking, from uint32) {
	waits := func(id uint32) bool {
		l := s.sys.Local(s.G.State(id), i)
		return l.Section == interp.Entry && l.Mark&bit != 0
	}
	t := explore.NewTrail(s.G, func(id uint32) bool { return waits(id) && s.idle(id, j) })
	last, actor, _, found := t.Follow(func(from uint32, actor int, to uint32) bool {
		if keeps && !s.trying(to, i) || !keeps && !waits(to) {
			return false
		}
		if actor == j && s.enters(from, actor, to) {
			return true
		}
		t.Step(from, actor, to)
		return false
	})
	if !found {
		return nil, 0
	}
	from, path := t.Path(last)
	return &Overtaking{i, j, append(s.G.Path(from), append(path, actor)...)}, from
}
