package main

import (
	"context"
	"io"

	"shmbench/internal/cli"
	"shmbench/report"
)

// The words of package cli that every verb uses.
type (
	env       = cli.Env
	body      = cli.Body
	verb      = cli.Verb
	collected = cli.Collected
)

const (
	exitHolds     = cli.Holds
	exitViolated  = cli.Violated
	exitUsage     = cli.Usage
	exitUndecided = cli.Undecided
)

var (
	errViolated = cli.ErrViolated
	within      = cli.Within
	given       = cli.Given

	// Flags that could change nothing are refused.
	inapplicable = cli.Refuse
	only         = cli.Only

	printable = cli.Printable
	first     = cli.First

	jsonFlag = cli.JSONFlag
	seedFlag = cli.SeedFlag

	writeFile     = cli.WriteFile
	writeDocument = cli.WriteDocument
	writeSourced  = cli.WriteSourced
	writeSteps    = report.WriteStepsOf
)

func cutShort(format string, args ...any) error { return cli.CutShort(format, args...) }

func interrupted(ctx context.Context, format string, args ...any) error {
	return cli.Interrupted(ctx, format, args...)
}

func writeJSON(w io.Writer, verb string, complete bool, results any) error {
	return cli.WriteJSON(w, "shmbench", verb, complete, results)
}

// verbs is the command table, in the order in which help shows it.
var verbs = []verb{
	listVerb,
	runVerb,
	selfcheckVerb,
	compareVerb,
	reportVerb,
	allVerb,
	artifactVerb,
	artifactVerifyVerb,
	stressVerb,
	checkVerb,
	predictVerb,
	predictFitVerb,
	predictValidateVerb,
	predictMeasureVerb,
	predictMachinesVerb,
	playVerb,
	lockstepVerb,
	newVerb,
}

// grace is how long a verb has to end once it has been interrupted.
var grace = cli.Grace

// theProgram is shmbench with its verbs.
func theProgram() *cli.Program {
	return &cli.Program{Name: "shmbench", About: "the laboratory for mutual exclusion on shared memory", Goals: goals, Verbs: verbs, Grace: grace}
}

// goals are those of the README, for the screen that a new user sees first.
var goals = []cli.Goal{
	{Text: "compare two machines, or two commits", Commands: []string{"shmbench run -o a.txt", "shmbench compare a.txt b.txt"}},
	{Text: "understand a lock, and break it", Commands: []string{
		"shmbench list bakery/lamport", "shmbench check bakery/lamport", "shmbench check bakery/lamport -edit 'delete 5'"}},
	{Text: "write a lock", Commands: []string{"shmbench new ../mylock"}},
	{Text: "choose a lock for this machine", Commands: []string{"shmbench run -pin -o run.txt", "shmbench list -cheapest run.txt", "shmbench report -o report.html run.txt"}},
	{Text: "teach", Commands: []string{"shmbench check -mutants -alg mutants/peterson-", "shmbench check -known-broken -alg hyman -o steps.html"}},
}

// run executes one command line and returns the exit status.
func run(ctx context.Context, e env, args []string) int { return theProgram().Run(ctx, e, args) }
