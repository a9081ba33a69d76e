package futex

import (
	"fmt"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Missing says what a lock lacks on this system, for its specification: nothing.
const Missing = ""

// exists says that the system has futexes.
const exists = true

// The operations of the futex system call, private to this program (see
// linux/futex.h; x/sys has only the number of the call).
const (
	waitPrivate = 0 | 128
	wakePrivate = 1 | 128
)

func wait(word *atomic.Uint32, v uint32) { call(word, waitPrivate, v) }

func wake(word *atomic.Uint32) { call(word, wakePrivate, 1) }

// call makes the system call. The word may have changed (EAGAIN), or the process may be
// interrupted (EINTR): the caller looks at the word again in both cases. Any other error
// is a fault of the program.
func call(word *atomic.Uint32, op uintptr, value uint32) {
	_, _, errno := unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(word)), op, uintptr(value), 0, 0, 0)
	if errno != 0 && errno != unix.EAGAIN && errno != unix.EINTR {
		panic(fmt.Sprintf("futex: futex system call: %v", errno))
	}
}
