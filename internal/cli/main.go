package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"shmbench/internal/build/scratch"
)

// Interruptible returns a context that the first interruption of the program ends:
// Ctrl-C, a termination, or a terminal that closes. The second interruption ends the
// program. Main calls Interruptible first.
func Interruptible() context.Context {
	// A reader that has gone is an error of the write, not the end of a
	// measurement.
	signal.Ignore(syscall.SIGPIPE)
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // as under nohup
		signal.Notify(signals, syscall.SIGHUP)
	}
	go func() {
		<-signals // the first ends the work in an orderly way
		cancel()
		for began := time.Now(); ; {
			if <-signals; time.Since(began) > together {
				Exit(Undecided) // the second ends the program
			}
		}
	}()
	return ctx
}

// together is how long several signals are one interruption. A terminal that closes
// sends a hangup, and so does its shell; a service manager sends a termination and a
// hangup; and Go itself takes one signal twice if it arrives while os looks for the
// first time whether the system has process file descriptors.
const together = 100 * time.Millisecond

// Exit ends the program with the status. No temporary folder and no go command of
// the program is left, also of a verb that has not ended.
func Exit(status int) {
	scratch.End()
	os.Exit(status)
}

// Main executes the command line of the program and ends it. Ctx is that of
// Interruptible.
func (p *Program) Main(ctx context.Context) {
	Exit(p.Run(ctx, Env{Stdout: os.Stdout, Stderr: os.Stderr}, os.Args[1:]))
}
