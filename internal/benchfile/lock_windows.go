package benchfile

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// claim locks a file until it is closed. It is false if another program, or another
// Writer, has the lock. The bytes that it locks are behind any that are written,
// so that the file can be read.
func claim(f *os.File) bool {
	far := windows.Overlapped{OffsetHigh: 1 << 30}
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &far)
	return !errors.Is(err, windows.ERROR_LOCK_VIOLATION)
}
