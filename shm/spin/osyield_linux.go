package spin

import "syscall"

// hasOSYield says whether a program can yield to the operating system.
const hasOSYield = true

// osYield lets the operating system run another thread on this processor. The call returns
// soon, so the Go scheduler need not know about it.
func osYield() { syscall.RawSyscall(syscall.SYS_SCHED_YIELD, 0, 0, 0) }
