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
	return time.Duration(r.Utime.Nano() + r.Stime.Nano()), true
}
