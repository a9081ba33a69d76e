package check

import (
	"cmp"
	"runtime"
	"time"

	"shmbench/check/internal/explore"
	"shmbench/shm"
)

// Options say how much to check. The zero Options check for n = 2 and 3,
// sequentially consistent memory, and as long as it takes.
type Options struct {
	// N are the numbers of processes; those that a specification does not allow are
	// left out. If it is empty, they are 2 and 3, as far as the lock can be
	// built for them.
	N []int
	// LockOnly: passages are made by Lock and Unlock only, whatever else a lock has.
	LockOnly bool
	// Passages limits the passages of each process; 0 means no limit where
	// the registers are bounded, and 2 where they are not.
	Passages int
	// MaxStates and MaxBytes (of the visited table and the edges) bound the
	// exploration; 0 means no bound, or 4 million states with store buffers or
	// with Registers that are not atomic.
	MaxStates int
	MaxBytes  int64
	// Workers is the number of goroutines that explore; 0 means one for each
	// processor.
	Workers int
	// TSO checks under total store order, with every store as a plain machine store that goes
	// through a store buffer. It finds out which stores need their fence. The verdicts are
	// then those without any fence, which is not what Go's sync/atomic means. No
	// specification is compared with them. Without TSO a lock with released stores is also
	// checked under total store order, as it is written: with those stores buffered, and
	// against its specification.
	TSO bool
	// Crashes, if not nil, says that processes crash, and how. Then memory is sequentially
	// consistent, registers are atomic, passages are made by Lock and Unlock only, and no
	// specification is compared.
	Crashes *Crashes
	// Registers is what registers are that only reads and writes are made to; empty
	// is shm.Atomic. It cannot be another together with TSO.
	Registers shm.RegisterModel
	// Paths, if there are any, is where the processes are, for locks for several
	// nodes: the path of each as numa.Nodes has it.
	Paths [][]int
	// Replays is how many accesses of random schedules are made on the compiled
	// code too, to check the interpreter against the compiler; with them go
	// every transition and every counterexample. 0 replays nothing; see
	// DefaultReplays.
	Replays int
	// AcceptUnreplayed accepts a lock whose compiled code cannot be replayed;
	// otherwise its properties are undecided.
	AcceptUnreplayed bool
	// Invariants are held in every state, beside those on the lock's specification.
	Invariants []shm.Invariant
	// Witness names bounds, as Witnesses has them: reports have an execution that attains each.
	Witness []string
	// Sources: reports have Code.
	Sources bool
	// Dot, if not nil, draws what is checked.
	Dot *Dot
	// Progress, if not nil, is called now and then while states are explored.
	Progress func(Progress)
	// Each, if not nil, is called with each report as soon as it is there, which
	// may be before that of an earlier algorithm.
	Each func(*Report)
}

// Progress is how far the exploration of one lock has come.
type Progress struct {
	Algorithm     string
	N             int
	States, Depth int
	Bytes         int64
	Elapsed       time.Duration
}

// sequential reports whether memory is as sync/atomic means it: sequentially
// consistent, and its words atomic.
func (o Options) sequential() bool { return !o.TSO && !o.weak() && o.Crashes == nil }

// weak reports whether registers are not atomic.
func (o Options) weak() bool { return o.Registers != "" && o.Registers != shm.Atomic }

// costStates is how many states are looked at for Costs.
func (o Options) costStates() int {
	if o.Witness != nil {
		return cacheStates
	}
	return costStates
}

func (o Options) explore(algorithm string, n int) explore.Options {
	e := explore.Options{Workers: cmp.Or(max(0, o.Workers), runtime.GOMAXPROCS(0)), MaxStates: o.MaxStates, MaxBytes: o.MaxBytes}
	if o.Progress != nil {
		e.Progress = func(p explore.Progress) {
			o.Progress(Progress{algorithm, n, p.States, p.Depth, p.Bytes, p.Elapsed})
		}
	}
	return e
}

// largeShare is which part of MaxBytes a search may take while another, larger one,
// is under way or kept.
const largeShare = 8

// DefaultReplays are enough accesses to meet every kind of step many times, beside every
// transition. They are few enough for a catalog of some two hundred specifications.
const DefaultReplays = 10_000
