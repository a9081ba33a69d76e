package harness

import (
	"os/exec"
	"syscall"
)

// dieWithParent makes the process end with this one even if it is stopped then and
// cannot notice.
func dieWithParent(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
