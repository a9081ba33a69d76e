package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"shmbench/catalog"
	"shmbench/internal/cli/words"
	"shmbench/report/rank"
	"shmbench/shm"
)

// writeLayouts says of each winner whether its other layout is clearly faster here than the
// default one. If that was not measured, it says which command measures it. On a machine that was
// not quiet there is no winner.
func writeLayouts(w io.Writer, r *rank.Report) error {
	if r.Noise != "" {
		return nil
	}
	var unknown []string
	var procs []string
	for _, t := range r.Tables {
		if !isEmpty(t) || len(t.Rows) == 0 || !t.Rows[0].Ranked {
			continue
		}
		pairs := layoutPairs(locksCalled(t.Rows[0].Algorithm))
		for _, pair := range pairs {
			both, ok := pair.measuredIn(t)
			if !ok {
				unknown, procs = appendNew(unknown, pair.usual.Name), appendNew(procs, fmt.Sprint(t.Workload.Procs))
				continue
			}
			if fast, clear := both.faster(); clear && fast.Name != pair.usual.Name {
				if _, err := fmt.Fprintf(w, "With %s, %s is clearly faster here than %s, the default layout: %.2f times, and the intervals do not overlap.\n",
					words.Counted(both.procs, "process", "processes"), fast.Name, pair.usual.Name, times(both.usual.NS.Center, both.other.NS.Center)); err != nil {
					return err
				}
			}
		}
	}
	for _, name := range unknown {
		if _, err := fmt.Fprintf(w, "To compare the layouts of %s: shmbench run -alg %s -variants -procs %s\n", name, name, strings.Join(procs, ",")); err != nil {
			return err
		}
	}
	return nil
}

// locksCalled returns the lock of the catalog with a name. For a variant it returns the lock
// in its default layout, and for an unknown name nothing.
func locksCalled(name string) []shm.Algorithm {
	a, err := catalog.Get(name)
	if err == nil && a.VariantOf != "" {
		a, err = catalog.Get(a.VariantOf)
	}
	if err != nil {
		return nil // the user's lock
	}
	return []shm.Algorithm{a}
}

func appendNew(all []string, s string) []string {
	if slices.Contains(all, s) {
		return all
	}
	return append(all, s)
}
