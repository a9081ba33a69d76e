package isolate

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"

	"shmbench/internal/build/scratch"
)

// tied is set in the environment of a program that Talk makes.
const tied = "SHMBENCH_TIED"

// grace is how long a tied program has to end by itself.
const grace = time.Second

// Talk is exec.CommandContext for a program that calls Tied or Listen: it ends with
// this one, however this one ends, because its standard input is a pipe that
// closes then. When ctx is canceled the pipe is closed, and the program has a
// second to print what it has. Listen hears what is written to the pipe.
func Talk(ctx context.Context, program string, args ...string) (*exec.Cmd, io.Writer, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = append(os.Environ(), tied+"=yes")
	pipe, err := cmd.StdinPipe()
	if err != nil {
		return nil, nil, err
	}
	cmd.Cancel = pipe.Close
	cmd.WaitDelay = grace + grace/2
	return cmd, pipe, nil
}

// Ended returns the error of a program of Talk that has ended. A signal to the
// whole process group can end a program before it ignores signals. Then this program
// has the same signal, perhaps a moment later, and the error is that of ctx. SIGKILL is
// no such signal: a program that has it too would not wait here.
func Ended(ctx context.Context, err error) error {
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.Exited() {
		return err
	}
	if killed(exit) {
		return cmp.Or(ctx.Err(), err)
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(grace / 10):
		return err
	}
}

// killed reports whether SIGKILL ended a program.
func killed(exit *exec.ExitError) bool {
	status, ok := exit.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGKILL
}

// Tied returns ctx. In a program that Talk started, it returns a context that ends when
// the parent closes the pipe or is gone. It calls exit if the program does not end in time:
// within a second if the parent waits for the answer, and at once if the parent is gone. The
// program ignores signals that a terminal, a shell or a service manager sends to a whole
// process group. Its parent acts on these signals, and closes the pipe. If the program is
// asked a question, Tied reads it.
func Tied(ctx context.Context, exit func()) context.Context {
	isAsked := os.Getenv(service) != ""
	return Listen(ctx, exit, func(r io.Reader) {
		if isAsked {
			var q json.RawMessage
			json.NewDecoder(r).Decode(&q) // a question that is cut short is none
			asked <- q
		}
		io.Copy(io.Discard, r)
	})
}

// Listen is Tied for a program that has something to hear from its parent: hear
// reads it, until the end of it.
func Listen(ctx context.Context, exit func(), hear func(io.Reader)) context.Context {
	if os.Getenv(tied) == "" {
		return ctx
	}
	os.Unsetenv(tied) // children of this program's own are not tied by it
	signal.Ignore(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	parent := os.Getppid()
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		hear(os.Stdin)
		cancel()
		for end := time.Now().Add(grace); time.Now().Before(end) && os.Getppid() == parent; {
			time.Sleep(grace / 100)
		}
		scratch.End()
		exit()
	}()
	return ctx
}
