//go:build !windows

package history

import "golang.org/x/sys/unix"

// Now reads CLOCK_MONOTONIC in ns. All processes of one machine read the same clock.
func Now() int64 {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &t); err != nil {
		panic(err)
	}
	return t.Nano()
}
