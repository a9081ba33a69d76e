package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"shmbench/internal/tty"
)

// env is the part of the outside world that a verb prints to.
type env struct {
	stdout, stderr io.Writer
}

// A body does a verb's work after its flags are parsed; args are the
// arguments left over. It returns nil, errViolated, what cutShort makes, or an
// error that means wrong use. When ctx is cancelled it has a second to print
// what it has; it is not waited for any longer.
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
	reportVerb,
	stressVerb,
	checkVerb,
	predictVerb,
	lockstepVerb,
	distRun,
	distTable,
	distScale,
	distElect,
	distStudy,
	distExplore,
	distReplay,
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
		if err := usage(e.stdout); err != nil {
			fmt.Fprintf(e.stderr, "shmbench: standard output: %v\n", err)
			return exitUsage
		}
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

// grace is how long a verb has to end once it has been interrupted, so that
// the program is gone within a second.
var grace = 900 * time.Millisecond

func (v verb) run(ctx context.Context, e env, args []string) int {
	out := &output{w: e.stdout}
	e.stdout = out
	err := v.parse(ctx, e, args)
	if _, failed := out.close(); failed != nil {
		err = fmt.Errorf("standard output: %w", failed)
	}
	code, says := status(err)
	if says != "" {
		fmt.Fprintf(e.stderr, "shmbench %s: %s\n", v.name, printable(says))
	}
	return code
}

// parse reads the flags and does what they say.
func (v verb) parse(ctx context.Context, e env, args []string) error {
	fs := flag.NewFlagSet(v.name, flag.ContinueOnError)
	fs.SetOutput(io.Discard) // errors are printed in one line
	do := v.setup(fs)
	once(fs)
	switch err := fs.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		v.help(e.stdout)
		return nil
	case err != nil:
		return plain(err, fs, v.renamed)
	case v.args == "" && fs.NArg() > 0:
		return fmt.Errorf("unexpected argument %q: this verb takes flags only", fs.Arg(0))
	}
	defer tty.Elapsed(e.stderr, v.name)()
	done := make(chan error, 1)
	go func() {
		err := unpanicked(func() error { return do(ctx, e, fs.Args()) })
		if err == nil {
			err = ctx.Err()
		}
		done <- err
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-done:
		return err
	case <-time.After(grace):
	}
	// What still runs is left behind, and what it prints is lost.
	out := e.stdout.(*output)
	if begun, _ := out.close(); !begun && given(fs, "json") {
		if err := writeJSON(out.w, v.name, false, nil); err != nil {
			return err
		}
	}
	return cutShort("interrupted, and given up: it did not end within a second")
}

func (v verb) help(w io.Writer) {
	fs := flag.NewFlagSet(v.name, flag.ContinueOnError)
	v.setup(fs)
	line := "usage: shmbench " + v.name + " [flags]"
	if v.args != "" {
		line += " " + v.args
	}
	fmt.Fprintf(w, "%s\n\n%s\n\nexample:\n%s\n\nflags:\n", line, v.summary, indent(v.example))
	fs.SetOutput(w)
	fs.PrintDefaults()
	fmt.Fprint(w, "\n"+statuses)
}

func usage(w io.Writer) error {
	var b strings.Builder
	fmt.Fprint(&b, "shmbench: the laboratory for mutual exclusion on shared memory\n\nusage: shmbench <verb> [flags]\n\nverbs:\n")
	for _, v := range verbs {
		fmt.Fprintf(&b, "  %-13s %s\n", v.name, v.summary)
	}
	fmt.Fprint(&b, "\n"+statuses+"\n\"shmbench <verb> -h\" explains a verb and shows an example.\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func indent(s string) string { return "  " + strings.ReplaceAll(s, "\n", "\n  ") }
