package supervise

import (
	"os/exec"
	"syscall"
)

// tie lets the kernel kill a child when the thread ends that starts it, or has ended.
func tie(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
