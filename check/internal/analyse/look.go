package analyse

import (
	"slices"
	"sync"

	"shmbench/check/internal/crew"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
)

// look is what one pass over the states finds, for all processes.
type look struct {
	// done has, for each state, the processes in whose part of the graph it comes
	// before what is left: they are in their remainder sections, or the state leads
	// to itself and to such states only.
	done []procset
	// still are the states in which a fair execution can stay: every party is
	// excused or has a step that changes nothing.
	still []uint32
	// polls tells, by process and local state, in which of its local states, not
	// of the remainder section, a process makes a step that changes nothing.
	polls [][]bool
}

func (s *Space) lookAtAll(sections [][]interp.Section) *look {
	l := &look{done: make([]procset, s.G.States)}
	var locals []int
	for _, of := range sections {
		locals = append(locals, len(of))
	}
	polls := crew.NewMarks(s.workers, locals)
	var mu sync.Mutex
	s.descend(func(worker int, lo, hi, end uint32) {
		var still []uint32
		for id := hi; id > lo; {
			id--
			busy := s.busy(id)
			// steps and stays are of parties.
			settled, steps, stays := s.all(), uint64(0), uint64(0)
			for a, to := range s.G.Successors(id) {
				if to == explore.None {
					continue
				}
				party := uint64(1) << s.party(a)
				steps |= party
				switch {
				case to == id:
					stays |= party
				case to >= end || to > id && to < hi:
					settled &= l.done[to]
				default:
					settled &^= s.busy(to)
				}
			}
			l.done[id] = settled | s.all()&^busy
			if steps&^stays&^uint64(s.all()&^busy) == 0 && s.staysStill(id) {
				still = append(still, id)
			}
			for pid := range s.N {
				if stays>>pid&1 != 0 && busy.has(pid) {
					polls.Set(worker, pid, s.local(id, pid))
				}
			}
		}
		if still != nil {
			mu.Lock()
			l.still = append(l.still, still...)
			mu.Unlock()
		}
	})
	l.polls = polls.Union()
	return l
}

// staysStill reports whether every party is excused in a state, or has a step
// that changes nothing.
func (s *Space) staysStill(id uint32) bool {
	for p := range s.Parties {
		if !s.excused(id, p) && !s.steps(id, p, func(_ int, to uint32) bool { return to == id }) {
			return false
		}
	}
	return true
}

// Waits tells in which of its local states process pid can be kept waiting: it
// steps from them on a cycle in its section, fair or not. If there are none of a
// section, it leaves it after a bounded number of its own steps.
func (s *Space) Waits(pid int) []bool {
	waits := slices.Clone(s.look().polls[pid])
	o := s.orders[pid]()
	for _, c := range o.comps {
		states := o.states(c)
		member := Members(states)
		for _, id := range states {
			if s.steps(id, pid, func(_ int, to uint32) bool { return member(to) }) {
				waits[s.local(id, pid)] = true
			}
		}
	}
	return waits
}
