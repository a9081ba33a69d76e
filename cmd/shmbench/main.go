// Shmbench is the laboratory for mutual exclusion on shared memory.
//
// It is used as
//
//	shmbench <verb> [flags]
//
// Data goes to standard output, progress and diagnostics to standard error.
// The exit status is 0 when all that was asked for was done and holds, 1 when a
// property is violated or a comparison regressed, 2 on wrong use or an error,
// and 3 when something was not decided or cut short. "shmbench -h" lists the
// verbs and "shmbench <verb> -h" explains one, with an example.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
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
		os.Exit(exitUndecided)
	}()
	ctx = child(ctx)
	os.Exit(run(ctx, env{stdout: os.Stdout, stderr: os.Stderr}, os.Args[1:]))
}
