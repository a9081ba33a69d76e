package harness

import (
	"errors"
	"os/exec"
	"syscall"
)

// ownGroup puts the process into a process group of its own.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// errNoPause is the error of faults that stop a process for a time.
var errNoPause = errors.New("Windows cannot stop a process and let it go on: leave this fault out with -fault")

func pause(int) error { return errNoPause }

func resume(int) error { return errNoPause }
