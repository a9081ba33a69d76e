//go:build !unix

package scratch

import "os/exec"

// separate does nothing: there are no process groups.
func separate(*exec.Cmd) {}

// kill kills the process of a command that was started, and not its children.
func kill(cmd *exec.Cmd) error { return cmd.Process.Kill() }
