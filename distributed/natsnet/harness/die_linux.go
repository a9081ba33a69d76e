package harness

import (
	"os/exec"
	"syscall"
)

// dieWithParent makes the process end when this process ends. That works even if
// the process is stopped at that time and cannot notice.
func dieWithParent(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
