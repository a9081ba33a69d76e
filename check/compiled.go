package check

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"

	"shmbench/check/internal/explore"
	"shmbench/check/internal/replay"
)

// runLength is how many steps a random schedule has.
const runLength = 500

// compiled builds the lock's package as the compiler has it.
func (s *subject) compiled(ctx context.Context) (*replay.Program, error) {
	return replay.Start(ctx, s.target)
}

// hold runs the same schedules on the compiled code and on the automata:
// every trace, every transition that can be taken, and random schedules.
func hold(ctx context.Context, x *explored, traces []*Trace, accesses int, code *replay.Program) (*Replay, error) {
	m := newMirror(ctx, x.subject, x.lock, code)
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
		schedule := make([]byte, len(t.Steps))
		for i, s := range t.Steps {
			schedule[i] = byte(s.Process)
		}
		err := m.same(schedule)
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
		schedules := everyTransition(x)
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
	for left := accesses; left > 0 && m.took < timeLimit; left -= runLength {
		schedule := make([]byte, min(left, runLength))
		pid := 0
		for i := range schedule {
			if rnd.IntN(3) > 0 { // sometimes the same one again
				pid = rnd.IntN(x.n)
			}
			schedule[i] = byte(pid)
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
	type transition struct {
		pid   int
		state int32 // of the learner
		value int32
	}
	taken := map[transition]bool{}
	from := make([]uint32, x.graph.States) // the state before, +1
	by := make([]byte, x.graph.States)
	var schedules [][]byte
	for id := range uint32(x.graph.States) {
		state := x.graph.State(id)
		for pid := range x.n {
			to := x.graph.Next(id, pid)
			if to == explore.None {
				continue
			}
			if to != 0 && from[to] == 0 {
				from[to], by[to] = id+1, byte(pid)
			}
			local := x.sys.Procs[pid].Of(state)
			reg := x.lock.Model.Procs[pid].Local[local].Reg
			t := transition{pid, x.lock.Model.Procs[pid].Members[local][0], x.sys.Regs[reg].Of(state)}
			if taken[t] {
				continue
			}
			taken[t] = true
			schedule := []byte{byte(pid)}
			for at := id; at != 0; at = from[at] - 1 {
				schedule = append(schedule, by[at])
			}
			slices.Reverse(schedule)
			schedules = append(schedules, schedule)
		}
	}
	return schedules
}
