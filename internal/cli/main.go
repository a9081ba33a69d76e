package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// Interruptible returns a context that the first interruption or termination of
// the program ends; the second ends the program. Main calls it first.
func Interruptible() context.Context {
	// A reader that has gone is an error of the write, not the end of a
	// measurement.
	signal.Ignore(syscall.SIGPIPE)
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals // the first ends the work in an orderly way
		cancel()
		<-signals // the second ends the program
		os.Exit(Undecided)
	}()
	return ctx
}
