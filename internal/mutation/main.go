// Mutation puts small faults into packages of this module, one at a time, and
// says which of them no test notices.
//
//	go run ./internal/mutation [flags] packages
//
// The faults are drawn at random from all that the packages can be given:
// operators, constants and conditions changed, statements left out. A fault
// that does not compile is drawn again. The tests of its package and of those
// that import it are run until one fails; no file is changed. What survives may
// be noticed by tests with -all. With -quick, the tests of its package alone are
// run; with -also, those of packages that import it through others come last. One
// line a fault goes to standard output. The exit status is 0 if every fault was
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
	"strings"
	"time"
)

func main() {
	n := flag.Int("n", 100, "how many `faults`")
	seed := flag.Uint64("seed", 1, "of the random numbers that draw them")
	timeout := flag.Duration("timeout", 2*time.Minute, "a fault is noticed if the tests of a package take longer")
	quick := flag.Bool("quick", false, "run the tests of the fault's own package alone")
	also := flag.String("also", "", "`packages`, with commas between them, whose tests are run for every fault, after those that import its package")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	alive, err := sample(ctx, os.Stdout, ".", flag.Args(), *also, *n, *seed, *timeout, *quick)
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

// sample tries n faults of the packages and returns how many survive.
func sample(ctx context.Context, w io.Writer, dir string, patterns []string, also string, n int, seed uint64, timeout time.Duration, quick bool) (alive int, err error) {
	if len(patterns) == 0 {
		return 0, errors.New("name packages: ./bench, or ./internal/... and the like")
	}
	dir, err = filepath.Abs(dir)
	if err != nil {
		return 0, err
	}
	packages, err := list(ctx, dir, patterns...)
	if err != nil {
		return 0, err
	}
	module, err := list(ctx, dir, "./...")
	if err != nil {
		return 0, err
	}
	var more []listed
	if also != "" {
		if more, err = list(ctx, dir, strings.Split(also, ",")...); err != nil {
			return 0, err
		}
	}
	all, err := mutantsOf(packages)
	if err != nil {
		return 0, err
	}
	rand.New(rand.NewPCG(seed, 0)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	t := trial{dir: dir, timeout: timeout, quick: quick}
	tried := 0
	for _, m := range all {
		if tried == n {
			break
		}
		v, by, err := t.run(ctx, m, witnesses(module, more, m.pkg))
		if err != nil {
			fmt.Fprintf(w, "cut short: %d of %d faults tried, %d survive\n", tried, n, alive)
			return alive, err
		}
		if m.file, err = filepath.Rel(dir, m.file); err != nil {
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
	fmt.Fprintf(w, "%d faults of %d, seed %d: %d survive\n", tried, len(all), seed, alive)
	return alive, nil
}
