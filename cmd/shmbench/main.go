// Shmbench is the laboratory for mutual exclusion on shared memory.
//
// It is used as
//
//	shmbench <verb> [flags]
//
// Data goes to standard output, progress and diagnostics to standard error.
// The exit status is 0 when all is well, 1 when a property is violated or a
// comparison regressed, and 2 on wrong use. "shmbench -h" lists the verbs and
// "shmbench <verb> -h" explains one, with an example.
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
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	child(ctx)
	code := run(ctx, env{stdout: os.Stdout, stderr: os.Stderr}, os.Args[1:])
	stop()
	os.Exit(code)
}
