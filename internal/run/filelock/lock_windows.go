package filelock

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// far is the byte that is locked, behind any that is written. Windows lets no other
// program read a locked byte.
const far = 1 << 30

// Try locks a file without waiting. The error is ErrHeld, or that of a file system without
// locks.
func Try(f *os.File) error {
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &windows.Overlapped{OffsetHigh: far})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return ErrHeld
	}
	return err
}

// Unlock gives the lock up.
func Unlock(f *os.File) error {
	return windows.UnlockFileEx(windows.Handle(f.Fd()), 0, 1, 0, &windows.Overlapped{OffsetHigh: far})
}
