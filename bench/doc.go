// Package bench measures locks: the time of a passage, the time that a process waits, the
// speed of a handoff, and the fairness of the lock.
//
// A passage is one round of a process: remainder section, Lock, critical section, Unlock. A
// sample is taken in four steps:
//
//   - The processes, plain goroutines unless pinned, meet at a barrier and
//     warm up for a fifth of the duration. These passages are not counted.
//   - The counted window follows. Its loop has the lock, the critical section
//     and a load of one word, and nothing else: no clock, no log. All
//     processes run before it opens and until after it has closed.
//   - The ordering window keeps a log of the owners, for the short-term fairness.
//   - In the timing window every passage is timed, and one in four records the
//     time of its release, which gives the handoff time if the next process was
//     waiting. Its passages are slower, because reading the clock takes time.
//
// A window begins at the first passage that sees it, by the critical section's
// own counter. It goes on until every process has made 20 passages, or for ten
// times its length. The sample says if a process made fewer.
//
// The critical section checks itself, except in the first two windows of a Workload with Touch.
// It increments two plain words on a cache line of their own. A lock that lets two processes in
// is an error, and so is a lock that hangs: the error says where each process is.
//
// The harness measures itself with the null lock, whose figure stands beside each sample, and
// the machine with Machine.
//
// Run measures a lock of your own in a benchmark:
//
//	func BenchmarkPassage(b *testing.B) {
//		bench.Run(b, mylock.Spec, bench.Workload{Procs: 2})
//	}
package bench
