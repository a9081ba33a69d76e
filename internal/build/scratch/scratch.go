// Package scratch holds what a program must not leave behind: its temporary
// folders and the programs that it runs. Both end with it, however it ends,
// unless the operating system kills it.
package scratch

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"time"
)

var (
	mu      sync.Mutex
	ended   bool
	folders = map[string]bool{}
	running = map[*exec.Cmd]bool{}
)

// errEnded is the error of what begins after End. Its callers are goroutines that
// the program no longer waits for.
var errEnded = fmt.Errorf("the program ends: %w", context.Canceled)

// Folder makes a temporary folder, as os.MkdirTemp does. The function remove, which
// may be called several times, removes the folder and all that is in it; so does End.
func Folder(parent, pattern string) (path string, remove func(), err error) {
	mu.Lock()
	defer mu.Unlock()
	if ended {
		return "", nil, errEnded
	}
	if path, err = os.MkdirTemp(parent, pattern); err != nil {
		return "", nil, err
	}
	return path, owned(path), nil
}

// Adopt is Folder for a folder that a program has left behind, which the operating system
// killed.
func Adopt(path string) (remove func(), err error) {
	mu.Lock()
	defer mu.Unlock()
	if ended {
		return nil, errEnded
	}
	return owned(path), nil
}

// owned notes a folder, and returns what removes it.
func owned(path string) (remove func()) {
	folders[path] = true
	return func() {
		removeAll(path)
		mu.Lock()
		defer mu.Unlock()
		delete(folders, path)
	}
}

// Run runs a command of exec.CommandContext to its end. The command and all the
// processes that it starts are one process group. When the context ends, or when
// End is called, the whole group is killed.
func Run(cmd *exec.Cmd) error {
	separate(cmd)
	cmd.Cancel = func() error { return kill(cmd) }
	cmd.WaitDelay = patience // for pipes that a process outside the group holds open
	if err := start(cmd); err != nil {
		return err
	}
	defer func() {
		mu.Lock()
		defer mu.Unlock()
		delete(running, cmd)
	}()
	return cmd.Wait()
}

func start(cmd *exec.Cmd) error {
	mu.Lock()
	defer mu.Unlock()
	if ended {
		return errEnded
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	running[cmd] = true
	return nil
}

// End kills the commands that run, and removes the folders that are there. It is
// called last, just before the program exits: nothing can begin after it.
func End() {
	mu.Lock()
	defer mu.Unlock()
	ended = true
	for cmd := range running {
		kill(cmd)
	}
	for path := range folders {
		removeAll(path)
	}
}

// patience is how long a process that was killed may take to be gone.
const patience = 200 * time.Millisecond

// removeAll removes a folder. A process that was killed a moment ago may still
// write to it, so that the first attempt can fail.
func removeAll(path string) {
	const pause = 10 * time.Millisecond
	for range patience / pause {
		if os.RemoveAll(path) == nil {
			return
		}
		time.Sleep(pause)
	}
}
