// Package verdicts has small locks in many forms of Go. Behind its constructor each says
// what it lacks, as derived by hand:
//
//	!me               mutual exclusion
//	!dl               deadlock freedom
//	!sf, !rsf         starvation freedom, that of readers
//	!together         two readers in their critical sections
//	!concurrent       concurrent readers
//	!no-effect        failed calls without effect
//	!wait-free-try    a TryLock in a bounded number of steps
//	!strong           a TryLock that fails only if the lock is taken
//	!wait-free-abort  a bounded number of steps to give up
//	!exit             exit progress
//	!race             data race freedom
//	!panic            panic freedom
//
// "ok" is nothing of that. "bounded:" stands before it where more and more values or
// memory limit the passages. Behind "all:" is what a lock lacks with all of its calls.
package verdicts
