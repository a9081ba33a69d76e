package check

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"shmbench/check/internal/automaton"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
	"shmbench/check/internal/replay"
	"shmbench/check/internal/replay/harness"
)

// runLength is how many accesses a random schedule has.
const runLength = 500

// compiled starts the lock's package as the compiler has it.
func (s *subject) compiled(ctx context.Context) (*replay.Program, error) {
	pkg := s.prog.Main.Pkg
	t := replay.Target{Dir: s.prog.Dir, Package: pkg.Path(), Atomic: s.prog.Atomic, Spin: s.prog.Spin, List: s.origin.List, Constructor: s.origin.Constructor}
	if pkg.Name() == "main" {
		return nil, errors.New("package main cannot be built into another program")
	}
	if fn := s.prog.Main.Func(t.Constructor); fn != nil {
		if !fn.Object().Exported() {
			return nil, fmt.Errorf("%s is not exported", t.Constructor)
		}
		t.Fails = fn.Signature.Results().Len() == 2
	}
	return replay.Start(ctx, s.prog.From, t)
}

// controllable reports whether every step of the lock goes through sync/atomic,
// where the compiled code can be stopped.
func (c *checking) controllable() bool {
	for _, p := range c.lock.Model.Procs {
		for _, l := range p.Local {
			if l.Kind&automaton.Plain != 0 || l.Kind == 0 && len(l.Moves) > 0 {
				return false
			}
		}
	}
	return true
}

// replay runs the same schedules on the compiled code and on the automata: every
// transition that can be taken, every counterexample, and random schedules.
func (c *checking) replay(code *replay.Program) error {
	if !c.controllable() {
		c.r.Replay = &Replay{Omitted: "it has steps that are not made through sync/atomic"}
		return nil
	}
	c.r.Replay = &Replay{}
	for _, t := range c.r.Counterexamples {
		schedule := make([]byte, len(t.Steps))
		for i, s := range t.Steps {
			schedule[i] = byte(s.Process)
		}
		if err := c.same(code, schedule); err != nil {
			return err
		}
		c.r.Replay.Counterexamples++
	}
	if c.g.Exhausted {
		for _, schedule := range c.everyTransition() {
			if err := c.same(code, schedule); err != nil {
				return err
			}
		}
	}
	// The seed is fixed: a disagreement can be found again.
	rnd := rand.New(rand.NewPCG(1981, uint64(c.r.N)))
	for left := c.o.Replays; left > 0; left -= runLength {
		if err := c.ctx.Err(); err != nil {
			return err
		}
		schedule := make([]byte, min(left, runLength))
		pid := 0
		for i := range schedule {
			if rnd.IntN(3) > 0 { // sometimes the same one again
				pid = rnd.IntN(c.r.N)
			}
			schedule[i] = byte(pid)
		}
		if err := c.same(code, schedule); err != nil {
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

// same runs a schedule on both and compares every access.
func (c *checking) same(code *replay.Program, schedule []byte) error {
	sim := simulate(c.lock.Learner, c.names)
	schedule = sim.possible(schedule)
	if c.lock.Learner.M.Outlives() {
		if err := code.Restart(); err != nil {
			return err
		}
	}
	result, err := code.Run(c.origin.Algorithm, c.r.N, schedule)
	if err != nil {
		return err
	}
	m := &mirror{reg: map[uint64]interp.Ptr{}, addr: map[interp.Ptr]uint64{},
		obj: map[uint64]interp.Ptr{0: {}}, at: map[interp.Ptr]uint64{{}: 0}}
	sim = simulate(c.lock.Learner, c.names)
	for i, got := range result.Steps {
		pid := int(schedule[i])
		access, before := sim.next(pid).Access, sim.current(pid)
		step, err := sim.step(pid)
		if err != nil {
			return err
		}
		if why := m.differs(got, access, before, sim.last, sim.next(pid).Section); why != "" {
			return fmt.Errorf("internal error: %s, n=%d: step %d, process %d at %s:%d, %s: the interpreter and the compiled code disagree: %s",
				c.name, c.r.N, i+1, pid, step.File, step.Line, step.what(), why)
		}
	}
	if result.Err != "" {
		if err := c.crashesToo(sim, schedule, result); err != nil {
			return err
		}
	}
	c.r.Replay.Accesses += len(result.Steps)
	return nil
}

// crashesToo checks that the step with which the compiled code has ended is one
// after which the interpreter cannot go on either.
func (c *checking) crashesToo(sim *simulation, schedule []byte, result *harness.Result) error {
	k := len(result.Steps)
	if k < len(schedule) {
		if _, err := sim.step(int(schedule[k])); err != nil {
			return err
		}
		if sim.next(int(schedule[k])).Fault != nil {
			return nil
		}
	}
	return fmt.Errorf("internal error: %s, n=%d: the compiled code ends after %d of %d steps: %s", c.name, c.r.N, k, len(schedule), result.Err)
}

// mirror is which address of the compiled lock is which cell of the
// interpreter's, and the same for what pointers lead to.
type mirror struct {
	reg, obj map[uint64]interp.Ptr
	addr, at map[interp.Ptr]uint64
}

// differs says how an access of the compiled code differs from the
// interpreter's, or returns "".
func (m *mirror) differs(got harness.Step, want *interp.Access, before, after interp.Value, section interp.Section) string {
	switch {
	case uint8(got.Op) != uint8(want.Op):
		return fmt.Sprintf("operation %v", interp.Op(got.Op))
	case !match(m.reg, m.addr, got.Addr, want.At):
		return "another register"
	case !m.value(got.Pointer, got.Before, before):
		return fmt.Sprintf("the value before is %d", got.Before)
	case !m.value(got.Pointer, got.After, after):
		return fmt.Sprintf("the value after is %d", got.After)
	case got.Section != uint8(section):
		return fmt.Sprintf("the process is in its %v section", interp.Section(got.Section))
	}
	return ""
}

func (m *mirror) value(pointer bool, got uint64, want interp.Value) bool {
	switch want := want.(type) {
	case interp.Num:
		return got == uint64(want)
	case interp.Ptr:
		return pointer && match(m.obj, m.at, got, want)
	}
	return false
}

// match pairs an address with a cell, or checks that they are a pair.
func match(to map[uint64]interp.Ptr, from map[interp.Ptr]uint64, addr uint64, p interp.Ptr) bool {
	known, ok := to[addr]
	back, ok2 := from[p]
	if !ok && !ok2 {
		to[addr], from[p] = p, addr
		return true
	}
	return ok && ok2 && known == p && back == addr
}
