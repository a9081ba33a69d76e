package analyse

import (
	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
)

// Overtaking is an execution that is not first-come-first-served: from From,
// where process First is past its doorway and Second has not begun, to where
// Second is in and First is not.
type Overtaking struct {
	First, Second int
	From          uint32
	// Path is the actors that step on the way.
	Path []int
}

// Order says what first-come-first-served order means on a graph of N processes.
type Order struct {
	G *explore.Graph
	N int
	// Waits: the process is past its doorway. Keeps: it still has its place. Idle: it has not begun.
	Waits, Keeps, Idle func(id uint32, pid int) bool
	// Enters: the step begins a critical section of the process.
	Enters func(from uint32, actor int, to uint32, pid int) bool
}

// Overtaking returns an overtaking whose beginning is the nearest, or nil if there is none.
func (o Order) Overtaking() (best *Overtaking) {
	for i := range o.N {
		for j := range o.N {
			if i == j {
				continue
			}
			if found := o.overtakes(i, j); found != nil && (best == nil || found.From < best.From) {
				best = found
			}
		}
	}
	return best
}

// overtakes searches, from all states at once in which i is past its doorway
// and j has not begun, for one in which j enters before i does.
func (o Order) overtakes(i, j int) *Overtaking {
	t := explore.NewTrail(o.G, func(id uint32) bool { return o.Idle(id, j) && o.Waits(id, i) })
	last, actor, _, found := t.Follow(func(from uint32, actor int, to uint32) bool {
		if !o.Keeps(to, i) {
			return false
		}
		if o.Enters(from, actor, to, j) {
			return true
		}
		t.Step(from, actor, to)
		return false
	})
	if !found {
		return nil
	}
	from, path := t.Path(last)
	return &Overtaking{i, j, from, append(path, actor)}
}

// Overtaking returns a shortest overtaking, or nil if there is none. past tells,
// by process and local state of the entry section, whether it is past its doorway.
func (s *Space) Overtaking(past [][]bool) *Overtaking {
	waits := func(id uint32, pid int) bool {
		return s.Section(id, pid) == interp.Entry && past[pid][s.local(id, pid)]
	}
	return Order{G: s.G, N: s.N, Waits: waits, Keeps: waits,
		Idle: func(id uint32, pid int) bool { return s.Section(id, pid) == interp.Remainder },
		Enters: func(from uint32, actor int, to uint32, pid int) bool {
			return s.party(actor) == pid && s.enters(from, actor, to)
		},
	}.Overtaking()
}
