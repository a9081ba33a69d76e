//go:build unix

package bench

import (
	"time"

	"golang.org/x/sys/unix"
)

// cpuTime returns the time that all threads of the program have run.
func cpuTime() (time.Duration, bool) {
	var r unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &r) != nil {
		return 0, false
	}
	return running(&r), true
}

// workedOutCPU is the time of 1.5 s in the program and 2 s in the system.
func workedOutCPU() (time.Duration, bool) {
	return running(&unix.Rusage{Utime: unix.NsecToTimeval(1.5e9), Stime: unix.NsecToTimeval(2e9)}), true
}

// running is the time in the program and in the system on its behalf.
func running(r *unix.Rusage) time.Duration { return time.Duration(r.Utime.Nano() + r.Stime.Nano()) }
