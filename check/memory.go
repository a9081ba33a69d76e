package check

import (
	"iter"

	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
	"shmbench/check/internal/model"
	"shmbench/shm"
)

// memory is how the accesses of processes take effect where a lock was explored:
// sequentially consistent memory, store buffers, or registers that are not atomic.
type memory interface {
	terms() terms
	// actors are those whose steps were explored.
	actors() explore.Actors
	// sees returns the number of the value that an actor's next access finds in a
	// state. The process does not decide.
	sees(state []uint64, actor int) int32
	// pending returns the stores in a process's store buffer, the oldest first, as
	// registers and the numbers of their values.
	pending(state []uint64, pid int) iter.Seq2[int32, int32]
	// cutOff reports whether a process was stopped in a state because a register would
	// leave its range.
	cutOff(state []uint64, pid int) bool
	// begin begins an execution of a lock with the automata that were explored.
	begin(learned *model.Lock, names *interp.Names) execution
}

// terms are what reports and traces say of the memory.
type terms struct {
	memory   string // "sc" or "tso"
	unfenced bool   // stores that have a fence go without
	// bufferedStores is how many stores a buffer holds, if some process had to wait
	// for room in it.
	bufferedStores int
	registers      shm.RegisterModel // empty if they are atomic
	overflows      bool              // executions in which a register left its range were cut off
}

// consistent reports whether memory is sequentially consistent.
func (t terms) consistent() bool { return t.memory == "sc" && t.registers == "" }

// consistent is sequentially consistent memory.
type consistent struct{ sys *explore.SC }

func (m consistent) terms() terms { return terms{memory: "sc"} }

func (m consistent) actors() explore.Actors {
	return explore.Actors{N: m.sys.Model.N, Parties: m.sys.Parties(), Count: m.sys.Actors()}
}

func (m consistent) sees(state []uint64, actor int) int32 {
	return m.sys.Regs[m.sys.Local(state, actor).Reg].Of(state)
}

func (m consistent) pending([]uint64, int) iter.Seq2[int32, int32] {
	return func(func(int32, int32) bool) {}
}

func (m consistent) cutOff([]uint64, int) bool { return false }

func (m consistent) begin(learned *model.Lock, names *interp.Names) execution {
	return simulate(learned.Learner, names, nil)
}

// buffered is memory with store buffers.
type buffered struct {
	sys      *explore.TSO
	stores   *stores // that go into the buffers
	capacity int     // of a buffer, if some process had to wait for room in it, and else 0
	unfenced bool    // stores that have a fence go without
}

func (m buffered) terms() terms {
	return terms{memory: "tso", unfenced: m.unfenced, bufferedStores: m.capacity}
}

func (m buffered) actors() explore.Actors {
	return explore.Actors{N: m.sys.Model.N, Parties: m.sys.Parties(), Count: m.sys.Actors()}
}

func (m buffered) sees(state []uint64, actor int) int32 { return m.sys.Sees(state, actor) }

func (m buffered) pending(state []uint64, pid int) iter.Seq2[int32, int32] {
	return m.sys.Pending(state, pid)
}

func (m buffered) cutOff([]uint64, int) bool { return false }

func (m buffered) begin(learned *model.Lock, names *interp.Names) execution {
	return simulate(learned.Learner, names, m.stores.of(learned))
}

// notAtomic is memory of registers on which reads and writes overlap. The system is nil
// if it has too many outcomes to be explored.
type notAtomic struct {
	sys       *explore.Weak
	registers shm.RegisterModel
}

func (m notAtomic) terms() terms {
	return terms{memory: "sc", registers: m.registers, overflows: m.sys != nil && m.sys.Cut.Load()}
}

func (m notAtomic) actors() explore.Actors {
	return explore.Actors{N: m.sys.Model.N, Parties: m.sys.Parties(), Count: m.sys.Actors()}
}

func (m notAtomic) sees(state []uint64, actor int) int32 { return m.sys.Sees(state, actor) }

func (m notAtomic) pending([]uint64, int) iter.Seq2[int32, int32] {
	return func(func(int32, int32) bool) {}
}

func (m notAtomic) cutOff(state []uint64, pid int) bool {
	return m.sys.Cut.Load() && m.sys.CutOff(state, pid)
}

func (m notAtomic) begin(learned *model.Lock, names *interp.Names) execution {
	return newOverlapping(m.sys, learned, simulate(learned.Learner, names, nil))
}
