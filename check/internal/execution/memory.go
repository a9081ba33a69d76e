package execution

import (
	"iter"

	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
	"shmbench/check/internal/model"
	"shmbench/shm"
)

// Memory is how the accesses of processes take effect where a lock was explored:
// sequentially consistent memory, store buffers, or registers that are not atomic.
type Memory interface {
	Terms() Terms
	// Actors are those whose steps were explored.
	Actors() explore.Actors
	// Sees returns the number of the value that an actor's next access finds in a
	// state. The process does not decide.
	Sees(state []uint64, actor int) int32
	// Pending returns the stores in a process's store buffer, the oldest first, as
	// registers and the numbers of their values.
	Pending(state []uint64, pid int) iter.Seq2[int32, int32]
	// CutOff reports whether a process was stopped in a state because a register would
	// leave its range.
	CutOff(state []uint64, pid int) bool
	// Begin begins an execution of a lock with the automata that were explored.
	Begin(learned *model.Lock, names *interp.Names) Run
}

// Terms are what reports and traces say of the memory.
type Terms struct {
	Memory   string // "sc" or "tso"
	Unfenced bool   // stores that have a fence go without
	// BufferedStores is how many stores a buffer holds, if some process had to wait
	// for room in it.
	BufferedStores int
	Registers      shm.RegisterModel // empty if they are atomic
	Overflows      bool              // executions in which a register left its range were cut off
	Crashes        int               // at most so many; 0 if there are none, or any number
}

// Consistent reports whether memory is sequentially consistent.
func (t Terms) Consistent() bool { return t.Memory == "sc" && t.Registers == "" }

// actors are those of a system of n processes.
func actors(n int, sys explore.Party) explore.Actors {
	return explore.Actors{N: n, Parties: sys.Parties(), Count: sys.Actors()}
}

// unbuffered is memory without store buffers.
type unbuffered struct{}

func (unbuffered) Pending([]uint64, int) iter.Seq2[int32, int32] {
	return func(func(int32, int32) bool) {}
}

// unlimited is memory whose registers have no range that a store could leave.
type unlimited struct{}

func (unlimited) CutOff([]uint64, int) bool { return false }

// Consistent is sequentially consistent memory.
type Consistent struct {
	unbuffered
	unlimited
	Sys *explore.SC
}

func (m Consistent) Terms() Terms { return Terms{Memory: "sc"} }

func (m Consistent) Actors() explore.Actors { return actors(m.Sys.Model.N, m.Sys) }

func (m Consistent) Sees(state []uint64, actor int) int32 {
	return m.Sys.Regs[m.Sys.Local(state, actor).Reg].Of(state)
}

func (m Consistent) Begin(learned *model.Lock, names *interp.Names) Run {
	return Simulate(learned.Learner, names, nil)
}

// Crashing is sequential consistency with processes that crash.
type Crashing struct {
	Consistent
	sys *explore.Crashing
}

// NewCrashing returns the memory of a system whose processes crash.
func NewCrashing(sys *explore.Crashing) Crashing { return Crashing{Consistent{Sys: sys.SC}, sys} }

// Terms are those of sequential consistency, with a bound on crashes.
func (m Crashing) Terms() Terms {
	return Terms{Memory: "sc", Crashes: m.sys.Most}
}

// Actors are the processes and what crashes them.
func (m Crashing) Actors() explore.Actors {
	a := actors(m.sys.Model.N, m.sys)
	a.Crashing = true
	return a
}

// Begin begins an execution.
func (m Crashing) Begin(learned *model.Lock, names *interp.Names) Run {
	return SimulateCrashes(learned.Learner, names, m.sys.Crashes)
}

// Buffered is memory with store buffers.
type Buffered struct {
	unlimited
	Sys *explore.TSO
	// Stores tells which stores of the automata go into the buffers, by process and
	// local state.
	Stores   func(learned *model.Lock) func(pid int, state int32) bool
	Capacity int  // of a buffer, if some process had to wait for room in it, and else 0
	Unfenced bool // stores that have a fence go without
}

func (m Buffered) Terms() Terms {
	return Terms{Memory: "tso", Unfenced: m.Unfenced, BufferedStores: m.Capacity}
}

func (m Buffered) Actors() explore.Actors { return actors(m.Sys.Model.N, m.Sys) }

func (m Buffered) Sees(state []uint64, actor int) int32 { return m.Sys.Sees(state, actor) }

func (m Buffered) Pending(state []uint64, pid int) iter.Seq2[int32, int32] {
	return m.Sys.Pending(state, pid)
}

func (m Buffered) Begin(learned *model.Lock, names *interp.Names) Run {
	return Simulate(learned.Learner, names, m.Stores(learned))
}

// NotAtomic is memory of registers on which reads and writes overlap. The system is nil
// if it has too many outcomes to be explored.
type NotAtomic struct {
	unbuffered
	Sys       *explore.Weak
	Registers shm.RegisterModel
}

func (m NotAtomic) Terms() Terms {
	return Terms{Memory: "sc", Registers: m.Registers, Overflows: m.Sys != nil && m.Sys.Cut.Load()}
}

func (m NotAtomic) Actors() explore.Actors { return actors(m.Sys.Model.N, m.Sys) }

func (m NotAtomic) Sees(state []uint64, actor int) int32 { return m.Sys.Sees(state, actor) }

func (m NotAtomic) CutOff(state []uint64, pid int) bool {
	return m.Sys.Cut.Load() && m.Sys.CutOff(state, pid)
}

func (m NotAtomic) Begin(learned *model.Lock, names *interp.Names) Run {
	return newOverlapping(m.Sys, learned, Simulate(learned.Learner, names, nil))
}
