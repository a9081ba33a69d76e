package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"shmbench/catalog"
	"shmbench/shm"
)

var listVerb = verb{
	name:    "list",
	summary: "list the algorithms: what each claims, needs and comes from",
	example: "shmbench list\nshmbench list -alg '^queue/' -json\nshmbench list -exhibits",
	setup: func(fs *flag.FlagSet) body {
		var alg string
		var asJSON, wrong bool
		algFlag(fs, &alg)
		fs.BoolVar(&wrong, "exhibits", false, "list the published locks that are wrong instead, and what each lacks")
		jsonFlag(fs, &asJSON)
		return func(_ context.Context, e env, _ []string) error {
			if wrong {
				return listExhibits(e.stdout, alg, asJSON)
			}
			algorithms, err := locks().match(alg)
			if err != nil {
				return err
			}
			for _, a := range catalog.Absent() {
				fmt.Fprintf(e.stderr, "shmbench list: %s is absent here: %s\n", a.Name, a.Reason)
			}
			if asJSON {
				return writeJSON(e.stdout, "list", true, algorithms)
			}
			return printCards(e.stdout, algorithms)
		}
	},
}

func printCards(w io.Writer, algorithms []shm.Algorithm) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "name\tclass\tprocesses\tliveness\tbypass\torder\tregisters\tsource")
	for _, a := range algorithms {
		fmt.Fprintf(t, "%s\t%v\t%d..%d\t%s\t%s\t%s\t%s\t%s, %d\n",
			a.Name, a.Class, a.MinProcs, a.MaxProcs, liveness(a.Claims), a.Claims.Bypass, order(a.Claims),
			registers(a.Space), a.Source.Author, a.Source.Year)
	}
	return t.Flush()
}

func liveness(c shm.Claims) string {
	switch {
	case c.StarvationFree:
		return "no lockout"
	case c.DeadlockFree:
		return "no deadlock"
	}
	return "none"
}

func order(c shm.Claims) string {
	if c.FCFS {
		return "FCFS"
	}
	return "-"
}

// registers is the space as one line: "want: 2, priority: 1".
func registers(s shm.Space) string {
	var kinds []string
	for _, r := range s {
		kinds = append(kinds, fmt.Sprintf("%s: %v", r.Name, r.Count))
	}
	if kinds == nil {
		return "-"
	}
	return strings.Join(kinds, ", ")
}
