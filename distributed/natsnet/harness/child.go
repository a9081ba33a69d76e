package harness

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"syscall"

	"shmbench/distributed"
	"shmbench/distributed/natsnet/node"
	"shmbench/internal/run/isolate"
)

// child is a node in a process of its own.
type child struct {
	id     distributed.ID
	cmd    *exec.Cmd
	mu     sync.Mutex
	in     io.Writer
	events chan<- said
	ended  chan struct{} // closed when the process has ended and all its events were passed on
	err    error         // the error of the ended process
	stderr tail

	ready, met    bool   // the node has reported these
	address       string // where the node listens, over TCP
	finished      bool   // the node has reported its result
	why           string // the reported reason why the node cannot continue
	killed        bool   // by a fault
	paused        bool
	asked         int // how often the parent has told the node to make a request
	entered, left int // how often the node has reported these
}

// said is an event and the child that reported it. ended marks the end of a
// process.
type said struct {
	from *child
	node.Event
}

const ended = "ended"

// nursery starts processes from one operating system thread that lives as long as
// the nursery. Where the system supports it, the processes end with that thread.
type nursery struct{ start chan func() }

func newNursery() *nursery {
	n := &nursery{make(chan func())}
	go func() {
		runtime.LockOSThread()
		for f := range n.start {
			f()
		}
	}()
	return n
}

func (n *nursery) do(f func() error) error {
	err := make(chan error)
	n.start <- func() { err <- f() }
	return <-err
}

func (n *nursery) close() { close(n.start) }

// spawn starts a child.
func (n *nursery) spawn(ctx context.Context, id distributed.ID, program string, args, env []string, events chan<- said) (*child, error) {
	c := &child{id: id, events: events, ended: make(chan struct{})}
	var err error
	c.cmd, c.in, err = isolate.Talk(ctx, program, args...)
	if err != nil {
		return nil, err
	}
	c.cmd.Env = append(c.cmd.Env, env...)
	c.cmd.Stderr = &c.stderr
	dieWithParent(c.cmd)
	out, w := io.Pipe()
	c.cmd.Stdout = w
	if err := n.do(c.cmd.Start); err != nil {
		return nil, err
	}
	var read sync.WaitGroup
	read.Go(func() {
		for d := json.NewDecoder(out); ; {
			var e node.Event
			if err := d.Decode(&e); err != nil {
				io.Copy(io.Discard, out)
				return
			}
			events <- said{c, e}
		}
	})
	go func() {
		c.err = c.cmd.Wait()
		w.Close()
		read.Wait()
		close(c.ended)
		events <- said{c, node.Event{Event: ended}}
	}()
	return c, nil
}

// tell sends a command to the child. A child that has ended receives nothing.
func (c *child) tell(command node.Command) {
	b, err := json.Marshal(command)
	if err != nil {
		panic(err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.in.Write(append(b, '\n'))
}

// gone says how the process ended, or returns "" if it has not.
func (c *child) gone() string {
	select {
	case <-c.ended:
	default:
		return ""
	}
	how := "with status 0"
	var exit *exec.ExitError
	switch {
	case errors.As(c.err, &exit):
		how = exit.String()
	case c.err != nil:
		how = c.err.Error()
	}
	return fmt.Sprintf("its process %d has ended: %s", c.cmd.Process.Pid, how)
}

// end makes sure that the process is gone.
func (c *child) end() {
	c.cmd.Process.Signal(syscall.SIGKILL) // also if it is stopped; it may be gone
	<-c.ended
}

// tail keeps the end of the text that is written to it.
type tail struct {
	mu sync.Mutex
	b  []byte
}

const tailSize = 4096

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.b = append(t.b, p...)
	if over := len(t.b) - tailSize; over > 0 {
		t.b = append(t.b[:0], t.b[over:]...)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(string(bytes.ToValidUTF8(t.b, nil)))
}
