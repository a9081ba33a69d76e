package compiled

import (
	"slices"

	"shmbench/check/internal/execution"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/model"
)

// Visited are the states of a lock on a memory that were visited.
type Visited struct {
	Graph   *explore.Graph
	SC      *explore.SC // the automata, without the memory
	Learned *model.Lock
	Memory  execution.Memory
}

// Sees returns the number of the value that an actor's next access finds, or of what
// the actor decides.
func (v Visited) Sees(state []uint64, actor int) int32 {
	if by := v.Memory.Actors().Of(actor); v.SC.Local(state, by.Pid).Decides {
		return int32(by.Outcome)
	}
	return v.Memory.Sees(state, actor)
}

// EveryTransition returns schedules that together take every transition of
// every process's automaton that can be taken, and how many these are.
func EveryTransition(v Visited) ([][]byte, int) {
	t := &transitions{v: v, number: make([][][]int, len(v.Learned.Learner.Procs)), from: make([]uint32, v.Graph.States), by: make([]byte, v.Graph.States)}
	for pid, p := range v.Learned.Learner.Procs {
		t.number[pid] = make([][]int, len(p.States))
	}
	t.find()
	taken := make([]bool, len(t.first))
	var schedules [][]byte
	for k, f := range t.first {
		if !taken[k] {
			schedules = append(schedules, t.along(f, taken))
		}
	}
	return schedules, len(t.first)
}

// transitions are those of the automata that can be taken.
type transitions struct {
	v      Visited
	number [][][]int // by process, local state of the learner, and value; 1 is the first
	first  []edge    // where each is met first
	from   []uint32  // by state: the one from which it is met first
	by     []byte    // and by whose step
}

// edge is what an actor does in a state.
type edge struct {
	state uint32
	actor int
}

// find numbers the transitions as they are met.
func (t *transitions) find() {
	next := uint32(1) // states are numbered as they are met
	for id := range uint32(t.v.Graph.States) {
		for actor, to := range t.v.Graph.Successors(id) {
			if to == explore.None {
				continue
			}
			if to == next {
				t.from[to], t.by[to] = id, byte(actor)
				next++
			}
			if at := t.at(edge{id, actor}); at != nil && *at == 0 {
				t.first = append(t.first, edge{id, actor})
				*at = len(t.first)
			}
		}
	}
}

// at returns where the number of the transition is that an actor takes in a state,
// nil if it takes none of a process.
func (t *transitions) at(s edge) *int {
	by, state := t.v.Memory.Actors().Of(s.actor), t.v.Graph.State(s.state)
	if by.Kind != explore.Process {
		return nil
	}
	pid := by.Pid
	local := t.v.SC.Procs[pid].Of(state)
	if t.v.Learned.Model.Procs[pid].Local[local].Starts {
		return nil
	}
	values := &t.number[pid][t.v.Learned.Model.Procs[pid].Members[local][0]]
	value := int(t.v.Sees(state, s.actor))
	if value >= len(*values) {
		*values = append(*values, make([]int, value+1-len(*values))...)
	}
	return &(*values)[value]
}

// longest is how many steps a schedule goes on behind the transition that it is
// for, and idle how many of them one after the other take nothing new.
const longest, idle = 2000, 20

// along returns the shortest schedule to a step, and on from there while that leads
// to transitions that have not been taken yet; what it takes is noted. One schedule
// that is long costs much less than many that begin alike.
func (t *transitions) along(s edge, taken []bool) []byte {
	var schedule []byte
	for at := s.state; at != 0; at = t.from[at] {
		schedule = append(schedule, t.by[at])
	}
	slices.Reverse(schedule)
	known := len(schedule)
	for went, since := 0, 0; went < longest && since < idle; went++ {
		schedule = append(schedule, byte(s.actor))
		since++
		if at := t.at(s); at != nil && *at > 0 && !taken[*at-1] {
			taken[*at-1], since = true, 0
		}
		if since == 0 {
			known = len(schedule)
		}
		successors := t.v.Graph.Successors(s.state)
		s = t.onward(successors[s.actor], s.actor, taken)
		if s.actor < 0 {
			break
		}
	}
	return schedule[:known]
}

// onward returns a step in a state that takes a transition which has not been taken
// yet, or else that of the next actor that can make one.
func (t *transitions) onward(state uint32, last int, taken []bool) edge {
	next := edge{state, -1}
	successors := t.v.Graph.Successors(state)
	for i := range successors {
		actor := (last + 1 + i) % len(successors)
		if successors[actor] == explore.None {
			continue
		}
		s := edge{state, actor}
		if at := t.at(s); at != nil && *at > 0 && !taken[*at-1] {
			return s
		}
		if next.actor < 0 {
			next = s
		}
	}
	return next
}
