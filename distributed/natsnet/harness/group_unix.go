//go:build unix

package harness

import (
	"os/exec"
	"syscall"
)

// ownGroup puts the process into a process group of its own.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// pause stops a process until resume.
func pause(pid int) error { return syscall.Kill(pid, syscall.SIGSTOP) }

func resume(pid int) error { return syscall.Kill(pid, syscall.SIGCONT) }
