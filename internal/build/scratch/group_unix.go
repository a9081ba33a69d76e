//go:build unix

package scratch

import (
	"os/exec"
	"syscall"
)

// separate makes a command the leader of a process group of its own.
func separate(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// kill kills the process group of a command that was started.
func kill(cmd *exec.Cmd) error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
