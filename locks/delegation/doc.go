// Package delegation holds the algorithms in which one process executes the critical
// sections of others: combining. A process hands its critical section over as a function,
// by Execute of shm.Delegate. The combiner runs the functions of all that wait, and the
// data that they share stay in its cache.
//
// # How they are checked, stressed and measured
//
// All instruments know locks. So each delegate is in the catalog as the lock TicketMutex,
// whose tickets are drawn by requests. A request reads and writes the next ticket with plain
// loads and stores. The lock is correct if and only if the delegate keeps the contract:
//
//   - Two requests at the same time are a data race, and can draw the same ticket: then
//     mutual exclusion is violated.
//   - A request that is executed twice panics, and so does Lock after a request that was not
//     executed. If the second execution comes later, its ticket belongs to no process, and
//     all others wait forever.
//   - The result of a request names its process. Lock panics if Execute returns that of
//     another process.
//   - A combiner that does not hand over leaves processes waiting forever.
//   - The order of the tickets is that of the requests. So the lock is
//     first-come-first-served, starvation-free, and bounded in its bypass if and only if the
//     delegate is.
//
// The checker explores the lock exactly and replays it on the compiled code. The conformance
// suite and the stress test run it. Mutants are edits of the delegates. A process has one
// ticket at a time. So a batch has n requests at most, and the check of the lock does not
// reach the bound h of a longer batch. The lock Polled of check/testdata/delegates does: its
// processes also wait for their turn by an unbounded number of requests.
//
// Stress tests and benchmarks also call Execute itself, with a whole critical section as
// the function. shm.Delegated makes any lock a delegate: Lock, the function, Unlock. It is
// the baseline.
package delegation
