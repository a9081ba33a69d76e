// Mutation puts small faults into packages of this module, one at a time, and
// says which of them no test notices.
//
//	go -C internal/tools run ./mutation [flags] packages
//
// The faults are drawn at random from all that the packages can be given:
// operators, constants and conditions changed, statements left out. A fault
// that does not compile is drawn again. The tests of its package and of those
// that import it are run until one fails, in a copy of the module. What survives
// may be noticed by tests with -all, or by the command of -then. With -quick, the
// tests of its package alone are run. With -also, those of packages that import it
// through others come last. With -only, faults are drawn from those whose line of
// output matches. With -module, the packages are in another module.
//
// One line a fault goes to standard output. The exit status is 0 if every fault was
// noticed, and 1 if one was not. It is 2 on an error, and 3 if it was cut short.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

func main() {
	var s sampling
	flag.IntVar(&s.n, "n", 100, "how many `faults`")
	flag.Uint64Var(&s.seed, "seed", 1, "of the random numbers that draw them")
	flag.DurationVar(&s.timeout, "timeout", 2*time.Minute, "a fault is noticed if the tests of a package take longer")
	flag.BoolVar(&s.quick, "quick", false, "run the tests of the fault's own package alone")
	flag.StringVar(&s.also, "also", "", "`packages`, with commas between them, whose tests are run for every fault, after those that import its package")
	flag.StringVar(&s.then, "then", "", "a `command` that is run for a fault which no test notices: it notices the fault if it fails")
	flag.Func("only", "only faults whose line of output matches this regular `expression`, such as one that survived before", func(text string) (err error) {
		s.only, err = regexp.Compile(text)
		return err
	})
	dir := flag.String("module", "../..", "the `folder` of the module whose packages get faults")
	flag.Parse()
	s.patterns = flag.Args()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	alive, err := s.run(ctx, os.Stdout, *dir)
	os.Exit(status(os.Stderr, alive, err))
}

// status is the exit status, after saying what is wrong.
func status(w io.Writer, alive int, err error) int {
	switch {
	case errors.Is(err, context.Canceled):
		return 3
	case err != nil:
		fmt.Fprintln(w, "mutation:", err)
		return 2
	case alive > 0:
		return 1
	}
	return 0
}

// sampling says which faults are tried, and how.
type sampling struct {
	patterns []string       // of the packages that get faults
	also     string         // packages whose tests are run for every fault
	only     *regexp.Regexp // of the faults, nil for all
	then     string         // a command that is run if no test notices a fault
	n        int
	seed     uint64
	timeout  time.Duration
	quick    bool
}

// run tries faults of the module that a folder is in, and returns how many survive.
func (s sampling) run(ctx context.Context, w io.Writer, dir string) (alive int, err error) {
	if len(s.patterns) == 0 {
		return 0, errors.New("name packages: ./bench, or ./internal/... and the like")
	}
	in, err := moduleOf(ctx, dir)
	if err != nil {
		return 0, err
	}
	all, err := s.faults(ctx, dir, in.dir)
	if err != nil {
		return 0, err
	}
	var more []listed
	if s.also != "" {
		if more, err = list(ctx, dir, strings.Split(s.also, ",")...); err != nil {
			return 0, err
		}
	}
	t, err := newTrial(in.dir, s)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	tried := 0
	for _, m := range all {
		if tried == s.n {
			break
		}
		v, by, err := t.run(ctx, m, witnesses(in.packages, more, m.pkg))
		if err != nil {
			fmt.Fprintf(w, "cut short: %d of %d faults tried, %d survive\n", tried, s.n, alive)
			return alive, err
		}
		switch v {
		case invalid:
			continue
		case killed:
			fmt.Fprintf(w, "killed    %v, by %s\n", m, by)
		case survived:
			fmt.Fprintf(w, "survived  %v\n", m)
			alive++
		}
		tried++
	}
	fmt.Fprintf(w, "%d faults of %d, seed %d: %d survive\n", tried, len(all), s.seed, alive)
	return alive, nil
}

// faults returns the faults that may be tried, in the order in which they are drawn. Their files are relative to the module.
func (s sampling) faults(ctx context.Context, dir, root string) ([]mutant, error) {
	packages, err := list(ctx, dir, s.patterns...)
	if err != nil {
		return nil, err
	}
	all, err := mutantsOf(packages)
	if err != nil {
		return nil, err
	}
	rand.New(rand.NewPCG(s.seed, 0)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	for i := range all {
		if all[i].file, err = filepath.Rel(root, all[i].file); err != nil {
			return nil, err
		}
	}
	return slices.DeleteFunc(all, func(m mutant) bool { return s.only != nil && !s.only.MatchString(m.String()) }), nil
}
