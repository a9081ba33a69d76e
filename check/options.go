package check

import (
	"cmp"
	"runtime"
	"time"

	"shmbench/check/internal/automaton"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/symmetry"
	"shmbench/shm"
)

// Options say how much to check. The zero Options check for n = 2 and 3 under sequentially
// consistent memory, without a limit on time.
type Options struct {
	// N has the numbers of processes. The check leaves out those that the specification does
	// not allow. If N is empty, they are 2 and 3. A lock without a specification is checked for 3 only
	// if it can be built for them.
	N []int
	// LockOnly restricts passages to Lock and Unlock, even if the lock has other modes.
	LockOnly bool
	// Passages limits the passages of each process. What holds within the limit is undecided. 0
	// means no limit, or 2 passages if a register grows and does more than count.
	Passages int
	// MaxStates bounds the number of states, and MaxBytes the memory of the visited table and
	// the edges, in bytes. 0 means no bound. With store buffers, or with Registers that are not
	// atomic, 0 means 4 million states.
	MaxStates int
	MaxBytes  int64
	// Safety decides only the properties of single states and deadlock freedom. The properties of single states are
	// mutual exclusion, freedom from data races and panics, and invariants. It keeps the states without the edges,
	// so that many more fit in memory.
	Safety bool
	// Checkpoint names a file that keeps the search of one lock for one n, so that another check continues
	// it. It needs Safety, and keeps passages by Lock and Unlock only.
	Checkpoint string
	// Workers is the number of goroutines that explore. 0 means one for each processor.
	Workers int
	// TSO checks under total store order. Every store is then a plain machine store that goes
	// through a store buffer. The check finds out which stores need their fence. The verdicts
	// are those without any fence, unlike the sync/atomic of Go, so no specification is
	// compared with them. Without TSO, a lock with release stores is also checked under total
	// store order, as it is written: only those stores go through buffers, and the verdicts are
	// compared with its specification.
	TSO bool
	// Crashes, if not nil, makes processes crash, and says how. Then memory is sequentially
	// consistent, registers are atomic, and passages use Lock and Unlock only. No specification
	// is compared except its claims about crashes.
	Crashes *Crashes
	// Registers is the model of registers that processes only read and write. Empty means
	// shm.Atomic. With TSO, it must be atomic.
	Registers shm.RegisterModel
	// Paths, if not empty, has the place of each process, for locks for several nodes: the path
	// that numa.Nodes has for the process.
	Paths [][]int
	// Replays is the number of accesses that random schedules also make on the compiled code,
	// to check the interpreter against the compiler. Every transition and every counterexample
	// is replayed with them. 0 replays nothing. See DefaultReplays.
	Replays int
	// AcceptUnreplayed accepts a lock whose compiled code cannot be replayed. Otherwise its
	// properties are undecided.
	AcceptUnreplayed bool
	// Invariants must hold in every state, in addition to those of the lock's specification.
	Invariants []shm.Invariant
	// Witness names bounds of Witnesses. A report then has an execution that attains each
	// bound.
	Witness []string
	// NoCosts leaves out Report.RMR and Report.Costs, and the verdicts on bounds of remote memory
	// references with them. They take a large part of the time of a check.
	NoCosts bool
	// Sources asks for Report.Code.
	Sources bool
	// Dot, if not nil, asks for a drawing of each lock.
	Dot *Dot
	// Progress, if not nil, is called from time to time while states are explored, and when none is left
	// to expand.
	Progress func(Progress)
	// symmetries finds the symmetries of a model that Safety uses. It is symmetry.Of unless a test replaces it.
	symmetries func(m *automaton.Model) []symmetry.Renaming
	// steps says which steps Safety makes, of those whose order makes no difference. Tests change it.
	steps explore.Steps
	// Each, if not nil, is called with each report as soon as the report is complete. The
	// report may come before the report on an earlier algorithm.
	Each func(*Report)
}

// Progress says how far the exploration of one lock has come.
type Progress struct {
	Algorithm     string
	N             int
	States, Depth int
	Frontier      int // states that were found and not expanded yet
	Bytes         int64
	Elapsed       time.Duration
	// Learning: the states are visited to find the values of the registers.
	Learning bool
}

// sequential reports whether memory is that of sync/atomic: sequentially consistent, with
// atomic words, and without crashes.
func (o Options) sequential() bool { return !o.TSO && !o.weak() && o.Crashes == nil }

// weak reports whether registers are not atomic.
func (o Options) weak() bool { return o.Registers != "" && o.Registers != shm.Atomic }

// costStates returns the largest number of states in which a check finds Costs. It is 0 if the
// check finds no costs.
func (o Options) costStates() int {
	switch {
	case o.NoCosts:
		return 0
	case o.Witness != nil:
		return cacheStates
	}
	return costStates
}

func (o Options) explore(algorithm string, n int) explore.Options {
	e := explore.Options{Workers: cmp.Or(max(0, o.Workers), runtime.GOMAXPROCS(0)), MaxStates: o.MaxStates, MaxBytes: o.MaxBytes, StatesOnly: o.Safety}
	if e.StatesOnly {
		e.Steps = o.steps
		if e.Symmetries = symmetry.Of; o.symmetries != nil {
			e.Symmetries = o.symmetries
		}
	}
	if o.Progress != nil {
		e.Progress = func(p explore.Progress) {
			o.Progress(Progress{algorithm, n, p.States, p.Depth, p.Frontier, p.Bytes, p.Elapsed, p.Learning})
		}
	}
	return e
}

// largeShare is the part of MaxBytes, as a divisor, that a search may take while another,
// larger search runs or is kept.
const largeShare = 8

// DefaultReplays is a number of accesses that meets every kind of step many times, beside
// every transition. It is small enough for a catalog of some two hundred specifications.
const DefaultReplays = 10_000
