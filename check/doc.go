// Package check is a model checker for locks written with sync/atomic. It runs
// the Go source of a lock, as it is, over all interleavings of n processes, and
// proves or refutes mutual exclusion, deadlock freedom, starvation freedom of
// each process, first-come-first-served order, and progress of the exit
// section; it finds the exact bypass bound, the registers and their values, the
// remote memory references, and data races; and it holds the lock's own lemmas
// (shm.Invariant) in every state. What it refutes it shows: by a shortest
// execution, or by one that ends in a cycle.
//
// In a test of a lock's package it takes three lines:
//
//	reports, err := check.Package(t.Context(), ".", "New", check.Options{})
//	require.NoError(t, err)
//	require.NoError(t, check.Err(reports))
//
// where New is a func(n int) T or func(n int) (T, error), and T has the methods
// Lock(pid int) and Unlock(pid int), with pid in 0..n-1. The lock needs no
// annotation and need not import anything of this module. The go command must
// be on PATH.
//
// # How it works
//
// The package is read as the compiler reads it and put into SSA form
// (golang.org/x/tools/go/ssa). An interpreter runs New, and then each process
// from one access to shared memory to the next, with a state that can be copied
// and compared. So each process is learned once, as a finite automaton whose
// transitions are accesses, and made minimal; exploring all states of all
// processes together is then a matter of table look-up.
//
// The interpreter is checked against the compiler: Options.Replays builds the same
// package with a sync/atomic, and with plain accesses, that stop, and runs every
// transition, every counterexample and random schedules on it. Each access must
// be the same, with the same values. A verdict says so if this was not checked.
//
// A check goes through stages. Each is a value that the next stage reads and nothing
// changes afterwards:
//
//   - source.Lock (internal/source): the source of a lock, how to build it, and what is
//     asked of it;
//   - model.Lock (internal/model): the automata that were learned for one n;
//   - explored.Lock (internal/explored): the graph of all states on one memory, whose
//     executions internal/execution runs;
//   - decided (decide.go): the verdicts, which are functions of the graph;
//   - Report (report.go), which internal/spec compares with the specification.
//
// Two more rooms take part: internal/compiled runs the automata and the compiled code side
// by side, and internal/trace has the executions that people read, write and run again.
//
// The function checkFor in check.go is this sequence.
//
// # What is a step
//
// One access to shared memory is one step, atomic in the order of all steps,
// as the Go memory model has it for sync/atomic. A process's own computing is
// part of the step before it. A process leaves its remainder section with the
// first access of Lock, enters its critical section with the last, and leaves
// it with the first access of Unlock. Memory that New has built is shared,
// except what only one process ever touches and what no process writes, which the
// exploration itself establishes; so is what Lock or Unlock allocates, from the
// access on that makes it known to others. A plain access to shared memory is a step
// like any other, and a data race if it conflicts with another that is possible
// at the same time.
//
// # What is proved, and under which assumptions
//
// Every process that is not in its remainder section takes its next step in the
// end (weak fairness); in its remainder section it may stay forever, and it
// may come back any number of times. Where a register can grow forever, such
// as a ticket, passages are limited, Report.Passages says so, and
// Report.Overflow tells what the lock does when the word wraps. A report is
// for its n: it proves nothing about more processes.
//
// The verdicts are defined in docs/checking.md.
package check
