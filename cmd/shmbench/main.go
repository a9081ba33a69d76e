// Shmbench is the laboratory for mutual exclusion on shared memory.
//
// It is used as
//
//	shmbench <verb> [flags]
//
// Data goes to standard output, progress and diagnostics to standard error.
// The exit status is 0 when everything was done and holds, and 1 when a
// property is violated or a comparison regressed. It is 2 on wrong use or an
// error, and 3 when something is undecided or was cut short. "shmbench -h"
// lists the verbs and "shmbench <verb> -h" explains one, with an example.
package main

import "shmbench/internal/cli"

func main() {
	theProgram().Main(child(cli.Interruptible()))
}
