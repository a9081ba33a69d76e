// Package bench measures locks: how long a passage takes, how long a process
// waits, how fast the lock changes hands, and who gets it.
//
// A passage is one round of a process: remainder section, Lock, critical
// section, Unlock. A sample is taken like this:
//
//   - The processes, plain goroutines unless pinned, meet at a barrier and
//     warm up for a fifth of the duration. What they do there is thrown away.
//   - The counted window follows. Its loop has the lock, the critical section
//     and a look at one word, and nothing else: no clock, no log. All
//     processes run before it opens and until after it has closed.
//   - The ordering window keeps a log of the owners, for the fairness over short
//     times.
//   - In the timing window every passage is timed, and one in four stamps its
//     release, which gives the hand-over time where the next was waiting. Its
//     passages are slower than those counted, because reading the clock takes time.
//
// A window begins at the first passage that sees it, by the critical section's
// own counter. It goes on until every process has made 20 passages, or for ten
// times its length; a sample says if they were fewer.
//
// The critical section always checks itself: it counts two plain words up, on a
// cache line of their own, and a lock that lets two processes in is an error, not
// a figure. So is a lock that hangs: the error says where each process is. The
// harness measures itself with the null lock, whose figure is
// reported beside each sample, and the machine with Machine.
//
// A lock of your own is measured by Run, in a benchmark:
//
//	func BenchmarkPassage(b *testing.B) {
//		bench.Run(b, mylock.Spec, bench.Workload{Procs: 2})
//	}
package bench
