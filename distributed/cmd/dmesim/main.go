// Dmesim is the laboratory for mutual exclusion and elections by messages.
//
// It is used as
//
//	dmesim <verb> [flags]
//
// Data goes to standard output, progress and diagnostics to standard error. The exit
// statuses are those of shmbench. "dmesim -h" lists the verbs and "dmesim <verb> -h"
// explains one, with an example.
package main

import (
	"context"
	"io"

	"shmbench/internal/cli"
)

func main() {
	theProgram().Main(guardedChild(cli.Interruptible()))
}

const name = "dmesim"

// verbs is the command table, in the order in which help shows it.
var verbs = []cli.Verb{
	listVerb,
	runVerb,
	tableVerb,
	scaleVerb,
	electVerb,
	studyVerb,
	exploreVerb,
	replayVerb,
	verifyVerb,
	mutantsVerb,
}

// goals are what most users want, for the screen that a new user sees first.
var goals = []cli.Goal{
	{Text: "check an algorithm in every order of messages", Commands: []string{"dmesim explore -alg raymond -nodes 3 -requests 0"}},
	{Text: "see what breaks a broken one", Commands: []string{"dmesim explore -alg alien-v1-printed -nodes 3 -requests 2"}},
	{Text: "replay a worked example", Commands: []string{"dmesim replay ricart-agrawala"}},
	{Text: "compare all algorithms with the textbook", Commands: []string{"dmesim table -nodes 31"}},
	{Text: "simulate one under a load, with faults", Commands: []string{"dmesim run -alg central -nodes 9 -rate max -faults 'crash 0 at 5s'"}},
}

// theProgram is dmesim with its verbs.
func theProgram() *cli.Program {
	return &cli.Program{Name: name, About: "mutual exclusion and elections by messages, explored and simulated", Goals: goals, Verbs: verbs}
}

// run executes one command line and returns the exit status.
func run(ctx context.Context, e cli.Env, args []string) int { return theProgram().Run(ctx, e, args) }

func writeJSON(w io.Writer, verb string, complete bool, results any) error {
	return cli.WriteJSON(w, name, verb, complete, results)
}
