package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"text/tabwriter"

	"shmbench/bench"
	"shmbench/catalog"
	"shmbench/internal/cli"
	"shmbench/shm"
)

var listVerb = verb{
	Name:    "list",
	Summary: "list the locks by family; with a name, print one lock in full, with its source",
	Args:    "[NAME]",
	Example: "shmbench list\n" +
		"shmbench list queue/mcs\n" +
		"shmbench list -class rw -fcfs -bounded\n" +
		"shmbench list -kind reader-writer\n" +
		"shmbench list -starvation-free -registers safe -procs 4\n" +
		"shmbench list -alg '^queue/' -json\n" +
		"shmbench list -cheapest results.txt\n" +
		"shmbench list -long -alg '^peterson/'\n" +
		"shmbench list -known-broken\n" +
		"shmbench list -mutants -alg mcs",
	Renamed: map[string]string{"exhibits": "-known-broken"},
	Setup: func(fs *flag.FlagSet) body {
		var measured string
		var s selection
		var asJSON, wrong, short, broken, long bool
		var w wanted
		s.declare(fs, "default all")
		w.declare(fs)
		fs.BoolVar(&long, "long", false, "print every column: registers, variants, sources; the lines are up to 500 columns long")
		fs.BoolVar(&wrong, "known-broken", false, "list the published locks that are wrong instead, and what each lacks")
		fs.BoolVar(&broken, "mutants", false, "list the deliberately broken locks instead: what is changed in which lock, and the verdict")
		fs.StringVar(&measured, "cheapest", "", "list the cheapest with each property instead, of those that are measured in this `file`")
		cli.Reads(fs, "cheapest")
		fs.BoolVar(&short, "short", false, "list the locks that run measures by default, and why each is one of them")
		jsonFlag(fs, &asJSON)
		return func(ctx context.Context, e env, names []string) error {
			switch {
			case len(names) > 0:
				if err := only(fs, "a name is that of the one algorithm which is listed, with its source", "json"); err != nil {
					return err
				}
				return listOne(e.Stdout, names, asJSON)
			case broken:
				if err := only(fs, "-mutants lists all that -alg matches", "mutants", "alg", "json"); err != nil {
					return err
				}
				return listMutants(e.Stdout, s.alg, asJSON)
			case measured != "" && !wrong && !short:
				return listCheapest(ctx, e, measured, s, w, asJSON)
			case wrong:
				if err := only(fs, "-known-broken lists all that -alg matches", "known-broken", "alg", "json"); err != nil {
					return err
				}
				return listKnownBroken(e.Stdout, s.alg, asJSON)
			case short:
				if err := only(fs, "-short lists what run measures", "short", "json"); err != nil {
					return err
				}
				return listShort(e.Stdout, asJSON)
			}
			algorithms, err := s.locks()
			if err != nil {
				return err
			}
			if algorithms, err = w.of(algorithms); err != nil {
				return err
			}
			for _, a := range catalog.Absent() {
				fmt.Fprintf(e.Stderr, "shmbench list: %s is absent here: %s\n", a.Name, a.Reason)
			}
			switch {
			case asJSON && long:
				return errors.New("-long with -json: give one of the two; -json has every column")
			case asJSON:
				return writeJSON(e.Stdout, "list", true, listed(algorithms))
			case len(algorithms) == 0:
				_, err := fmt.Fprintln(e.Stdout, "No lock has all of these properties.")
				return err
			case long:
				return printLong(e.Stdout, algorithms)
			}
			return printTable(e.Stdout, algorithms)
		}
	},
}

// listShort lists what is measured unless others are named.
func listShort(w io.Writer, asJSON bool) error {
	chosen := catalog.Short()
	if asJSON {
		return writeJSON(w, "list", true, chosen)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "name\twhy it is measured")
	for _, c := range chosen {
		fmt.Fprintf(t, "%s\t%s\n", c.Name, c.Why)
	}
	return t.Flush()
}

// listed returns the specifications of algorithms.
func listed(algorithms []shm.Algorithm) []bench.Specification {
	all := []bench.Specification{}
	for _, a := range algorithms {
		all = append(all, bench.Specify(a))
	}
	return all
}

// families calls heading before the first lock of each family and line for every lock
// that is no variant of another one here.
func families(algorithms []shm.Algorithm, heading func(family string), line func(shm.Algorithm)) {
	there := map[string]bool{}
	for _, a := range algorithms {
		there[a.Name] = true
	}
	last := ""
	for _, a := range algorithms {
		if there[a.VariantOf] {
			continue
		}
		if f := bench.Family(a.Name); f != last {
			heading(f)
			last = f
		}
		line(a)
	}
}
