package analyse

import (
	"slices"

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
	from := make([]uint32, s.G.States) // the state before, +1
	by := make([]uint8, s.G.States)
	var queue []uint32
	for id := range uint32(s.G.States) {
		if s.Section(id, j) == interp.Remainder && waits(id) {
			from[id] = id + 1
			queue = append(queue, id)
		}
	}
	for k := 0; k < len(queue); k++ {
		id := queue[k]
		for a, to := range s.G.Successors(id) {
			if to == explore.None || !waits(to) {
				continue
			}
			if s.party(a) == j && s.enters(id, a, to) {
				o := &Overtaking{First: i, Second: j, To: to, Path: []int{a}}
				for from[id] != id+1 {
					o.Path = append(o.Path, int(by[id]))
					id = from[id] - 1
				}
				o.From = id
				slices.Reverse(o.Path)
				return o
			}
			if from[to] == 0 {
				from[to], by[to] = id+1, uint8(a)
				queue = append(queue, to)
			}
		}
	}
	return nil
}
