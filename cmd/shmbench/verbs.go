package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"syscall"
)

// Exit statuses of every verb.
const (
	exitHolds    = 0 // everything asked for was done and holds
	exitViolated = 1 // a property is violated, or a comparison regressed
	exitUsage    = 2 // wrong use: flags, names, files, process counts
)

// errViolated ends a verb whose report, already printed, shows a violation.
var errViolated = errors.New("violated")

// env is the part of the outside world that a verb prints to.
type env struct {
	stdout, stderr io.Writer
}

// A body does a verb's work after its flags are parsed; args are the
// arguments left over. It returns nil, errViolated, or an error that is
// printed as one line and means wrong use.
type body func(ctx context.Context, e env, args []string) error

// A verb is one subcommand. setup declares the verb's flags on fs and returns
// the body that reads them.
type verb struct {
	name    string // one word, or two such as "dist explore"
	summary string // one line, for the list of verbs
	args    string // what follows the flags, such as "FILE..."; may be empty
	example string // one or more command lines
	// renamed has the flags of earlier versions and their names today.
	renamed map[string]string
	setup   func(fs *flag.FlagSet) body
}

// verbs is the command table, in the order in which help shows it.
var verbs = []verb{
	listVerb,
	runVerb,
	compareVerb,
	stressVerb,
	checkVerb,
	lockstepVerb,
	distRun,
	distTable,
	distScale,
	distStudy,
	distExplore,
	distVerify,
	distMutants,
}

// run executes one command line and returns the exit status.
func run(ctx context.Context, e env, args []string) int {
	if len(args) == 0 {
		usage(e.stderr)
		return exitUsage
	}
	switch args[0] {
	case "-h", "-help", "--help", "help":
		usage(e.stdout)
		return exitHolds
	}
	for _, v := range verbs {
		if words := strings.Fields(v.name); len(args) >= len(words) && slices.Equal(words, args[:len(words)]) {
			return v.run(ctx, e, args[len(words):])
		}
	}
	if family := verbsOf(args[0]); family != "" {
		fmt.Fprintf(e.stderr, "shmbench: %s goes with another word: there are %s\n", args[0], family)
		return exitUsage
	}
	fmt.Fprintf(e.stderr, "shmbench: no verb %q; \"shmbench -h\" lists the verbs\n", args[0])
	return exitUsage
}

// verbsOf names the verbs of two words of which the first is word.
func verbsOf(word string) string {
	var names []string
	for _, v := range verbs {
		if strings.HasPrefix(v.name, word+" ") {
			names = append(names, v.name)
		}
	}
	return strings.Join(names, ", ")
}

func (v verb) run(ctx context.Context, e env, args []string) int {
	fs := flag.NewFlagSet(v.name, flag.ContinueOnError)
	fs.SetOutput(io.Discard) // errors are printed below, in one line
	do := v.setup(fs)
	switch err := fs.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		v.help(e.stdout, fs)
		return exitHolds
	case err != nil:
		return v.fail(e, plain(err, fs, v.renamed))
	}
	if v.args == "" && fs.NArg() > 0 {
		return v.fail(e, fmt.Errorf("unexpected argument %q: this verb takes flags only", fs.Arg(0)))
	}
	return v.fail(e, do(ctx, e, fs.Args()))
}

// fail turns a verb's error into its exit status, printing the error unless
// the report on standard output has said it already.
func (v verb) fail(e env, err error) int {
	var status childStatus
	switch {
	case errors.As(err, &status):
		return int(status)
	case err == nil, errors.Is(err, syscall.EPIPE): // the reader has seen enough
		return exitHolds
	case errors.Is(err, errViolated):
		return exitViolated
	}
	fmt.Fprintf(e.stderr, "shmbench %s: %v\n", v.name, err)
	return exitUsage
}

func (v verb) help(w io.Writer, fs *flag.FlagSet) {
	line := "usage: shmbench " + v.name + " [flags]"
	if v.args != "" {
		line += " " + v.args
	}
	fmt.Fprintf(w, "%s\n\n%s\n\nexample:\n%s\n\nflags:\n", line, v.summary, indent(v.example))
	fs.SetOutput(w)
	fs.PrintDefaults()
}

func usage(w io.Writer) {
	fmt.Fprint(w, "shmbench: the laboratory for mutual exclusion on shared memory\n\nusage: shmbench <verb> [flags]\n\nverbs:\n")
	for _, v := range verbs {
		fmt.Fprintf(w, "  %-13s %s\n", v.name, v.summary)
	}
	fmt.Fprint(w, "\n\"shmbench <verb> -h\" explains a verb and shows an example.\n")
}

func indent(s string) string { return "  " + strings.ReplaceAll(s, "\n", "\n  ") }
