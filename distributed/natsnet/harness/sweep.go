package harness

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

// A run has a folder, and a process that removes the folder when the run is over. This
// works even when a kill ends the program that made the folder.

// sweeps is the environment variable that passes the folder to such a process.
const sweeps = "DMEBENCH_SWEEPS"

// prefix is the beginning of the folders' names.
const prefix = "dmebench-"

// Sweep must be the first call in main. In a process that removes a folder, it
// does that and ends the program. Otherwise it does nothing.
func Sweep() {
	folder := os.Getenv(sweeps)
	if folder == "" {
		return
	}
	signal.Ignore(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP) // the run is over when it says so
	io.Copy(io.Discard, os.Stdin)                                // until the pipe is closed
	if strings.Contains(folder, prefix) {
		remove(folder)
	}
	os.Exit(0)
}

// remove removes a folder. Processes that have just been killed may still write
// there.
func remove(folder string) error {
	const times, pause = 100, 20 * time.Millisecond
	var err error
	for range times {
		if err = os.RemoveAll(folder); err == nil {
			if _, there := os.Lstat(folder); errors.Is(there, fs.ErrNotExist) {
				return nil
			}
		}
		time.Sleep(pause)
	}
	return err
}

// sweeper is the process that removes a folder.
type sweeper struct {
	cmd  *exec.Cmd
	pipe io.Closer
}

// startSweeper starts a process of program that removes folder after the end of this
// process.
func startSweeper(program, folder string) (*sweeper, error) {
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), sweeps+"="+folder)
	ownGroup(cmd) // what ends a whole group must not end it
	pipe, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	return &sweeper{cmd, pipe}, cmd.Start()
}

// sweep makes the process remove the folder, and waits for it.
func (s *sweeper) sweep() error {
	s.pipe.Close()
	return s.cmd.Wait()
}
