// Package lockstep runs the processes of a lock synchronously, as the exercises of a course
// ask for it: in every round all processes execute the same number of lines of the
// pseudo-code, at the same time. It runs the automata that package check learns.
package lockstep

import (
	"context"
	"fmt"
	"slices"

	"shmbench/check/internal/execution"
	"shmbench/check/internal/interp"
	"shmbench/check/internal/model"
	"shmbench/check/internal/source"
	"shmbench/shm"
)

// Execution is a synchronous execution: in every round all processes execute
// one line of the pseudo-code at a time, at the same time. A line is what
// carries one label, also where it reads several registers. Reads see the
// registers as they were before the step; writes take effect at its end, in
// the order of the ids. Read-modify-write operations are done one after
// another, in the order of the ids.
//
// A process in its entry section ends a round when it has executed Lines
// lines. It also ends one when it has won at a node of a tree, or when
// it enters. A process that enters in round k begins its exit section in round
// k+CS. In its exit section it ends a round when it has left a node of a
// tree; without a tree, the whole exit section takes one round.
type Execution struct {
	N     int
	Lines int
	CS    int
	// Ask has, for each round from 1 on, the processes that ask to enter.
	Ask map[int][]int
}

// catalogPath is the package of the catalog.
const catalogPath = "shmbench/catalog"

// maxRounds ends an execution in which no process gets any further.
const maxRounds = 10_000

// Report is a synchronous execution.
type Report struct {
	Algorithm string  `json:"algorithm"`
	N         int     `json:"n"`
	Lines     int     `json:"lines"`
	CS        int     `json:"cs"`
	Rounds    []Round `json:"rounds"`
	// Entries are the ids in the order in which they enter. LastRound is the round in which
	// the last process has left its exit section.
	Entries   []int `json:"entries"`
	LastRound int   `json:"last_round"`
	// Waiting are the processes that still wait when the execution was given
	// up.
	Waiting []int `json:"waiting,omitempty"`
	// Code is as a Report's.
	Code  []string `json:"code,omitempty"`
	texts map[string]string
}

// Texts returns the functions that Code names.
func (r *Report) Texts() map[string]string { return r.texts }

// Round is one round.
type Round struct {
	Number int `json:"round"`
	// Steps has, for each step of the round, the lines that are executed in it.
	Steps [][]Line `json:"steps"`
}

// Line is a line that a process executes.
type Line struct {
	Process int    `json:"process"`
	Label   string `json:"label"`
	// Accesses are the accesses to shared memory that the line makes.
	Accesses []execution.Step `json:"accesses"`
	// Does says what the line brings about: "enters", "wins a node", "leaves a
	// node", "is done"; empty if nothing.
	Does string `json:"does,omitempty"`
}

// Run executes an algorithm of the catalog.
func (ls Execution) Run(ctx context.Context, a shm.Algorithm) (*Report, error) {
	if err := ls.valid(a); err != nil {
		return nil, err
	}
	catalogue, err := source.OpenFor(ctx, catalogPath, []shm.Algorithm{a})
	if err != nil {
		return nil, err
	}
	s := catalogue.Algorithm("All", a)
	// Learned to the end, so that it is known which memory is shared.
	lock, err := s.Learn(ctx, ls.N, model.Options{})
	if err != nil {
		return nil, fmt.Errorf("%s, n=%d: %w", a.Name, ls.N, err)
	}
	x := &stepping{Execution: ls, ctx: ctx,
		sim:   execution.Simulate(lock.Learner, lock.Learner.M.Names(), nil),
		procs: make([]stepper, ls.N),
		out:   &Report{Algorithm: a.Name, N: ls.N, Lines: ls.Lines, CS: ls.CS, Entries: []int{}}}
	x.out.Code, x.out.texts = s.Code(lock)
	return x.out, x.run()
}

func (ls Execution) valid(a shm.Algorithm) error {
	if err := shm.CheckProcs(a.Name, ls.N, a.MinProcs, min(a.MaxProcs, source.MaxProcs)); err != nil {
		return err
	}
	if ls.Lines < 1 || ls.CS < 1 {
		return fmt.Errorf("%d lines a round and %d rounds in the critical section: both must be at least 1", ls.Lines, ls.CS)
	}
	for round, pids := range ls.Ask {
		for _, pid := range pids {
			if round < 1 || round > maxRounds || pid < 0 || pid >= ls.N {
				return fmt.Errorf("process %d asks in round %d: rounds are 1 to %d, and processes 0 to %d", pid, round, maxRounds, ls.N-1)
			}
		}
	}
	return nil
}

// stepper is one process of a synchronous execution.
type stepper struct {
	asked  int // passages that it has asked for and not begun
	active bool
	leaves int // the round in which it begins its exit section
	ended  bool
	lines  int // in this round
}

type stepping struct {
	Execution
	ctx   context.Context
	sim   *execution.Simulation
	procs []stepper
	out   *Report
}

func (x *stepping) run() error {
	last := 0
	for round := range x.Ask {
		last = max(last, round)
	}
	for round := 1; ; round++ {
		if err := x.ctx.Err(); err != nil {
			return err
		}
		for _, pid := range x.Ask[round] {
			x.procs[pid].asked++
		}
		if err := x.round(round); err != nil {
			return err
		}
		waiting := []int{}
		for pid, p := range x.procs {
			if p.active || p.asked > 0 {
				waiting = append(waiting, pid)
			}
		}
		if round >= last && len(waiting) == 0 {
			return nil
		}
		if round == maxRounds {
			x.out.Waiting = waiting
			return nil
		}
	}
}

// round executes one round.
func (x *stepping) round(number int) error {
	r := Round{Number: number}
	for pid := range x.procs {
		p := &x.procs[pid]
		if !p.active && p.asked > 0 {
			p.active = true
			p.asked--
		}
		critical := x.sim.Next(pid).Section == interp.Critical
		p.ended, p.lines = !p.active || critical && number < p.leaves, 0
	}
	for {
		var lines []Line
		writes := map[int32]int32{}
		for pid := range x.procs {
			if x.procs[pid].ended {
				continue
			}
			line, err := x.line(pid, number, writes)
			if err != nil {
				return err
			}
			lines = append(lines, line)
		}
		if lines == nil {
			break
		}
		for reg, v := range writes {
			x.sim.Values[reg] = v
		}
		r.Steps = append(r.Steps, lines)
	}
	if r.Steps != nil {
		x.out.Rounds = append(x.out.Rounds, r)
	}
	return nil
}

// line executes one line of a process. writes has what this step's lines have
// written so far, and takes what this one writes.
func (x *stepping) line(pid, round int, writes map[int32]int32) (Line, error) {
	p := &x.procs[pid]
	before := x.sim.Next(pid)
	label, nest := x.label(pid), x.nest(pid)
	line := Line{Process: pid, Label: label}
	type access struct {
		site string
		reg  int32
	}
	done := map[access]bool{}
	own := map[int32]int32{}
	for {
		st := x.sim.Next(pid)
		if st.Access == nil {
			return line, fmt.Errorf("process %d cannot go on: %v", pid, st.Fault)
		}
		reg := x.sim.Learner.Procs[pid].Reg[x.sim.States[pid]]
		done[access{x.sim.Learner.M.Stack(st), reg}] = true
		step, err := x.access(pid, reg, st, own, writes)
		if err != nil {
			return line, err
		}
		line.Accesses = append(line.Accesses, step)
		next := x.sim.Next(pid)
		turned := execution.Turn(st.Section, next.Section) != "" && next.Section != interp.Exit
		if turned || x.label(pid) != label || x.nest(pid) != nest ||
			done[access{x.sim.Learner.M.Stack(next), x.sim.Learner.Procs[pid].Reg[x.sim.States[pid]]}] {
			break
		}
	}
	p.lines++
	x.account(pid, round, &line, before.Section, nest)
	return line, nil
}

// access makes one access: a plain read sees the registers as they were before
// the step, or what this line has written itself.
func (x *stepping) access(pid int, reg int32, st *interp.State, own, writes map[int32]int32) (execution.Step, error) {
	old := x.sim.Values[reg]
	seen := old
	if v, ok := own[reg]; ok {
		seen = v
	} else if v, ok := writes[reg]; ok && st.Access.Op != interp.Load {
		seen = v
	}
	x.sim.Values[reg] = seen
	step, err := execution.MakeStep(x.sim, pid)
	if st.Access.Writes() {
		own[reg] = x.sim.Values[reg]
		writes[reg] = x.sim.Values[reg]
	}
	x.sim.Values[reg] = old
	return step, err
}

// account notes what a line has brought about.
func (x *stepping) account(pid, round int, line *Line, before interp.Section, nest interp.Ptr) {
	p := &x.procs[pid]
	after := x.sim.Next(pid).Section
	node := x.nest(pid) != nest
	switch {
	case after == interp.Critical && before != interp.Critical:
		line.Does, p.ended, p.leaves = "enters", true, round+x.CS
		x.out.Entries = append(x.out.Entries, pid)
	case after == interp.Remainder && before != interp.Remainder:
		line.Does, p.ended, p.active = "is done", true, false
		x.out.LastRound = round
	case after == interp.Entry && node:
		line.Does, p.ended = "wins a node", true
	case after == interp.Exit && node:
		line.Does, p.ended = "leaves a node", true
	case after == interp.Entry:
		p.ended = p.lines == x.Lines
	}
}

// label is the label of the line that a process executes next, or its place.
func (x *stepping) label(pid int) string {
	pos, label := x.sim.Learner.M.Place(x.sim.Next(pid))
	if label == "" {
		file, line := x.sim.Learner.M.Prog.Place(pos)
		label = fmt.Sprintf("%s:%d", file, line)
	}
	return label
}

func (x *stepping) nest(pid int) interp.Ptr { return x.sim.Learner.M.Nest(x.sim.Next(pid)) }

// Processes returns the ids that take part in the round, in order.
func (r Round) Processes() []int {
	var pids []int
	for _, lines := range r.Steps {
		for _, l := range lines {
			if !slices.Contains(pids, l.Process) {
				pids = append(pids, l.Process)
			}
		}
	}
	slices.Sort(pids)
	return pids
}
