package check

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"

	"shmbench/check/internal/explore"
	"shmbench/check/internal/replay"
)

// runLength is how many steps a random schedule has, if every actor that is drawn
// has one to make. Under store buffers many have none: a buffer that is empty, a
// process that waits for its own. So many times more are drawn then.
const (
	runLength     = 1000
	bufferedTries = 3
)

// replayAll runs the same schedules on the compiled code and on the automata:
// every trace, every transition that can be taken, and random schedules.
func replayAll(ctx context.Context, x *explored, traces []*Trace, accesses int, code *replay.Program) (*Replay, error) {
	m := newMirror(ctx, x.lock, x.model, x.begin, code)
	done, err := m.replay(x, traces, accesses)
	var out *outOfHand
	if errors.As(err, &out) {
		return &Replay{Omitted: out.why}, nil
	}
	return done, err
}

func (m *mirror) replay(x *explored, traces []*Trace, accesses int) (*Replay, error) {
	done := new(Replay)
	if err := m.stoppable(); err != nil {
		return nil, err
	}
	if err := m.starts(); err != nil {
		return nil, err
	}
	for _, t := range traces {
		err := m.same(t.schedule())
		if errors.Is(err, errBeyond) {
			continue
		}
		if err != nil {
			return nil, err
		}
		done.Counterexamples++
	}
	if x.stopped != nil {
		done.Accesses = m.accesses
		return done, nil
	}
	if x.exhausted() {
		schedules, all := x.transitions()
		for _, schedule := range schedules {
			if err := m.same(schedule); err != nil {
				return nil, err
			}
		}
		done.Transitions = all
	}
	// The seed is fixed: a disagreement can be found again.
	rnd := rand.New(rand.NewPCG(1981, uint64(x.n)))
	m.took = 0
	actors, tries := x.memory.actors().Count, 1
	if x.lock.mixed || x.memory.terms().memory == "tso" { // most actors have nothing to decide, or to flush
		tries = bufferedTries
	}
	for left := accesses; left > 0 && m.took < timeLimit; left -= runLength {
		schedule := make([]byte, min(left, runLength)*tries)
		actor := 0
		for i := range schedule {
			if rnd.IntN(3) > 0 { // sometimes the same one again
				actor = rnd.IntN(actors)
			}
			schedule[i] = byte(actor)
		}
		if err := m.same(schedule); err != nil {
			return nil, err
		}
		done.Schedules++
	}
	done.Accesses = m.accesses
	return done, nil
}

// everyTransition returns schedules that together take every transition of
// every process's automaton that can be taken, and how many these are.
func everyTransition(x *explored) ([][]byte, int) {
	t := &transitions{x: x, number: make([][][]int, x.n), from: make([]uint32, x.graph.States), by: make([]byte, x.graph.States)}
	for pid, p := range x.model.Learner.Procs {
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
	x      *explored
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
	for id := range uint32(t.x.graph.States) {
		for actor, to := range t.x.graph.Successors(id) {
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
	by, state := t.x.memory.actors().Of(s.actor), t.x.graph.State(s.state)
	if by.Kind != explore.Process {
		return nil
	}
	pid := by.Pid
	local := t.x.sys.Procs[pid].Of(state)
	if t.x.model.Model.Procs[pid].Local[local].Starts {
		return nil
	}
	values := &t.number[pid][t.x.model.Model.Procs[pid].Members[local][0]]
	value := int(t.x.sees(state, s.actor))
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
		successors := t.x.graph.Successors(s.state)
		s = t.onward(successors[s.actor], s.actor, taken)
		if s.actor < 0 {
			break
		}
	}
	return schedule[:known]
}

// onward returns a step in a state that takes a transition which has not been taken
// yet, or else that of the next actor who can make one.
func (t *transitions) onward(state uint32, last int, taken []bool) edge {
	next := edge{state, -1}
	successors := t.x.graph.Successors(state)
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
