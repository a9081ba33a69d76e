//go:build unix && !solaris && !aix

package benchfile

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// claim locks a file until it is closed. It is false if another program, or another
// Writer, has the lock. File systems without locks refuse nobody.
func claim(f *os.File) bool {
	return !errors.Is(unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB), unix.EWOULDBLOCK)
}
