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

// replay runs the same schedules on the compiled code and on the automata: every
// counterexample, every transition that can be taken, and random schedules.
func (c *checking) replay(code *replay.Program) error {
	c.r.Replay = &Replay{}
	m := c.mirror(code)
	err := c.replayAll(m)
	var out *outOfHand
	if errors.As(err, &out) {
		c.r.Replay = &Replay{Omitted: out.why}
		return nil
	}
	return err
}

func (c *checking) replayAll(m *mirror) error {
	if err := m.stoppable(); err != nil {
		return err
	}
	if err := m.starts(); err != nil {
		return err
	}
	for _, t := range c.r.Counterexamples {
		schedule := make([]byte, len(t.Steps))
		for i, s := range t.Steps {
			schedule[i] = byte(s.Process)
		}
		if err := m.same(schedule); err != nil {
			return err
		}
		c.r.Replay.Counterexamples++
	}
	if c.g.Exhausted {
		for _, schedule := range c.everyTransition() {
			if err := m.same(schedule); err != nil {
				return err
			}
		}
	}
	// The seed is fixed: a disagreement can be found again.
	rnd := rand.New(rand.NewPCG(1981, uint64(c.r.N)))
	for left := c.o.Replays; left > 0; left -= runLength {
		schedule := make([]byte, min(left, runLength))
		pid := 0
		for i := range schedule {
			if rnd.IntN(3) > 0 { // sometimes the same one again
				pid = rnd.IntN(c.r.N)
			}
			schedule[i] = byte(pid)
		}
		if err := m.same(schedule); err != nil {
			return err
		}
		c.r.Replay.Schedules++
	}
	return nil
}

// everyTransition returns schedules that together take every transition of
// every process's automaton that can be taken.
func (c *checking) everyTransition() [][]byte {
	type transition struct {
		pid   int
		state int32 // of the learner
		value int32
	}
	taken := map[transition]bool{}
	from := make([]uint32, c.g.States) // the state before, +1
	by := make([]byte, c.g.States)
	var schedules [][]byte
	for id := range uint32(c.g.States) {
		state := c.g.State(id)
		for pid := range c.r.N {
			to := c.g.Next(id, pid)
			if to == explore.None {
				continue
			}
			if to != 0 && from[to] == 0 {
				from[to], by[to] = id+1, byte(pid)
			}
			local := c.sys.Procs[pid].Of(state)
			reg := c.lock.Model.Procs[pid].Local[local].Reg
			t := transition{pid, c.lock.Model.Procs[pid].Members[local][0], c.sys.Regs[reg].Of(state)}
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
	c.r.Replay.Transitions = len(taken)
	return schedules
}
