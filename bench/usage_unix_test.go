//go:build unix

package bench

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

func TestProcessorTimeIsTheProgramsAndTheSystems(t *testing.T) {
	r := unix.Rusage{Utime: unix.Timeval{Sec: 1, Usec: 500_000}, Stime: unix.Timeval{Sec: 2}}
	require.Equal(t, 3500*time.Millisecond, running(&r))
}
