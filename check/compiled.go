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
	runLength     = 500
	bufferedTries = 3
)

// compiled builds the lock's package as the compiler has it.
func (s *subject) compiled(ctx context.Context) (*replay.Program, error) {
	return replay.Start(ctx, s.target)
}

// hold runs the same schedules on the compiled code and on the automata:
// every trace, every transition that can be taken, and random schedules.
func hold(ctx context.Context, x *explored, traces []*Trace, accesses int, code *replay.Program) (*Replay, error) {
	m := newMirror(ctx, x.subject, x.lock, x.buffers(), code)
	if x.weak != nil {
		m.weak = x
	}
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
	if x.graph.Exhausted {
		schedules := x.transitions()
		for _, schedule := range schedules {
			if err := m.same(schedule); err != nil {
				return nil, err
			}
		}
		done.Transitions = len(schedules)
	}
	// The seed is fixed: a disagreement can be found again.
	rnd := rand.New(rand.NewPCG(1981, uint64(x.n)))
	m.took = 0
	actors, tries := x.n, 1
	switch {
	case x.tso != nil:
		actors, tries = x.tso.Actors(), bufferedTries
	case x.weak != nil:
		actors = x.weak.Actors()
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
// every process's automaton that can be taken.
func everyTransition(x *explored) [][]byte {
	taken := make([][][]bool, x.n) // by process, local state of the learner, and value
	for pid, p := range x.lock.Learner.Procs {
		taken[pid] = make([][]bool, len(p.States))
	}
	from := make([]uint32, x.graph.States) // the state before
	by := make([]byte, x.graph.States)
	next := uint32(1) // states are numbered as they are met
	var schedules [][]byte
	for id := range uint32(x.graph.States) {
		state := x.graph.State(id)
		for actor, to := range x.graph.Successors(id) {
			if to == explore.None {
				continue
			}
			if to == next {
				from[to], by[to] = id, byte(actor)
				next++
			}
			if actor >= x.n && x.weak == nil {
				continue
			}
			pid := actor % x.n
			local := x.sys.Procs[pid].Of(state)
			if x.lock.Model.Procs[pid].Local[local].Starts {
				continue
			}
			t := &taken[pid][x.lock.Model.Procs[pid].Members[local][0]]
			value := int(x.sees(state, actor))
			if value < len(*t) && (*t)[value] {
				continue
			}
			if value >= len(*t) {
				*t = append(*t, make([]bool, value+1-len(*t))...)
			}
			(*t)[value] = true
			schedule := []byte{byte(actor)}
			for at := id; at != 0; at = from[at] {
				schedule = append(schedule, by[at])
			}
			slices.Reverse(schedule)
			schedules = append(schedules, schedule)
		}
	}
	return schedules
}
