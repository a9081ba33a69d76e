// Dmebench runs the message-passing locks of shmbench as processes, over NATS or TCP, and
// compares their runs with the simulator.
//
// The verbs are
//
//	dmebench run [flags]
//	dmebench node [flags]
//	dmebench faults [flags]
//	dmebench judge [flags] FILE...
//	dmebench resource [flags]
//
// Dmebench and shmbench have the same exit statuses, signals and terms. "dmebench run -h"
// explains the first verb, with an example.
package main

import (
	"shmbench/distributed/natsnet/harness"
	"shmbench/internal/cli"
)

func program() *cli.Program {
	return &cli.Program{
		Name: "dmebench", About: "mutual exclusion by messages, for real: processes over NATS or TCP",
		Verbs: []cli.Verb{runVerb, nodeVerb, faultsVerb, judgeVerb, resourceVerb},
	}
}

func main() {
	harness.Sweep()
	program().Main(cli.Interruptible())
}
