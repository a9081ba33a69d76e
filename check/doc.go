// Package check is a model checker for locks written with sync/atomic. It runs the unchanged
// Go source of a lock over all interleavings of n processes. It proves or refutes mutual
// exclusion, deadlock freedom, starvation freedom of each process, first-come-first-served
// order, and progress of the exit section. It finds the exact bypass bound, the registers and
// their values, the remote memory references, and data races. It tests the lock's own lemmas
// (shm.Invariant) in every state. Each refuted property has a counterexample: a shortest
// execution, or an execution that ends in a cycle.
//
// A test of a lock's package takes three lines:
//
//	reports, err := check.Package(t.Context(), ".", "New", check.Options{})
//	require.NoError(t, err)
//	require.NoError(t, check.Err(reports))
//
// New is a func(n int) T or func(n int) (T, error), and T has the methods Lock(pid int) and
// Unlock(pid int), with pid in 0..n-1. The lock needs no annotation and need not import
// anything of this module. The go command must be on PATH.
//
// # How it works
//
// The checker reads the package as the compiler does and puts it into SSA form
// (golang.org/x/tools/go/ssa). An interpreter runs New. Then it runs each
// process from one access to shared memory to the next, with a state that can
// be copied and compared. So the checker learns each process once, as a finite
// automaton whose transitions are accesses, and minimizes the automaton. To
// explore all states of all processes together, it then only looks up tables.
//
// The interpreter is checked against the compiler. Options.Replays builds the same package
// with a sync/atomic that stops before each access, and with plain accesses that stop
// likewise. It runs every transition, every counterexample and random schedules on that
// program. Each access must be the same, with the same values. A verdict says so if this
// comparison was not done.
//
// A check goes through stages. Each stage produces a value that the next stage reads. No later
// stage changes the value:
//
//   - source.Lock (internal/source): the source of a lock, how to build it, and what is
//     asked of it;
//   - model.Lock (internal/model): the automata that were learned for one n;
//   - explored.Lock (internal/explored): the graph of all states on one memory, whose
//     executions internal/execution runs;
//   - verdicts (decide.go), which are functions of the graph;
//   - Report (report.go), which internal/spec compares with the specification.
//
// The function checkFor in stages.go runs these stages. Two more packages take part:
// internal/compiled runs the automata and the compiled code side by side, and internal/trace
// has the executions that people read, write and run again.
//
// # The steps
//
// One access to shared memory is one step, atomic in the order of all steps, as in the Go
// memory model for sync/atomic. A process's local computation is part of the step before it. A
// process leaves its remainder section with the first access of Lock. It enters its critical
// section with the last access of Lock, and leaves it with the first access of Unlock.
//
// Memory that New has built is shared, except memory that only one process accesses and memory
// that no process writes. The exploration finds out which memory this is. Memory that Lock or
// Unlock allocates is shared from the access that makes it reachable for others. A plain
// access to shared memory is a step like any other. It is a data race if a conflicting access
// is possible at the same time.
//
// # The claims of a proof, and its assumptions
//
// Every process that is not in its remainder section eventually takes its next step (weak
// fairness). In its remainder section it may stay forever, and it may return there any number
// of times. If a register grows and does more than count, passages are limited: Report.Passages
// has the limit, Report.Undecided the reason, and Report.Overflow says what happens to the lock
// when the word wraps around. A report is for its n, and proves nothing about more processes.
//
// The verdicts are defined in docs/checking.md.
package check
