package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"shmbench/bench"
	"shmbench/catalog"
	"shmbench/internal/cli"
	"shmbench/shm"
)

var listVerb = verb{
	Name:    "list",
	Summary: "list the algorithms by family: what each claims, needs and comes from; or one, with its source",
	Args:    "[NAME]",
	Example: "shmbench list\n" +
		"shmbench list queue/mcs\n" +
		"shmbench list -class rw -fcfs -bounded\n" +
		"shmbench list -kind reader-writer\n" +
		"shmbench list -starvation-free -registers safe -procs 4\n" +
		"shmbench list -alg '^queue/' -json\n" +
		"shmbench list -cheapest results.txt\n" +
		"shmbench list -exhibits\n" +
		"shmbench list -mutants -alg mcs",
	Setup: func(fs *flag.FlagSet) body {
		var alg, measured string
		var asJSON, wrong, short, broken bool
		var w wanted
		algFlag(fs, &alg)
		w.declare(fs)
		fs.BoolVar(&wrong, "exhibits", false, "list the published locks that are wrong instead, and what each lacks")
		fs.BoolVar(&broken, "mutants", false, "list the deliberately broken locks instead: what is changed in which lock, and the verdict")
		fs.StringVar(&measured, "cheapest", "", "list the cheapest with each property instead, of those that are measured in this `file`")
		cli.Reads(fs, "cheapest")
		fs.BoolVar(&short, "short", false, "list what run measures if it is not told what, and why each")
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
				return listMutants(e.Stdout, alg, asJSON)
			case measured != "" && !wrong && !short:
				return listCheapest(ctx, e, measured, alg, w, asJSON)
			case wrong:
				if err := only(fs, "-exhibits lists all that -alg matches", "exhibits", "alg", "json"); err != nil {
					return err
				}
				return listExhibits(e.Stdout, alg, asJSON)
			case short:
				if err := only(fs, "-short lists what run measures", "short", "json"); err != nil {
					return err
				}
				return listShort(e.Stdout, asJSON)
			}
			algorithms, err := locks().match(alg)
			if err != nil {
				return err
			}
			if algorithms, err = w.of(algorithms); err != nil {
				return err
			}
			for _, a := range catalog.Absent() {
				fmt.Fprintf(e.Stderr, "shmbench list: %s is absent here: %s\n", a.Name, a.Reason)
			}
			if asJSON {
				return writeJSON(e.Stdout, "list", true, listed(algorithms))
			}
			return printCards(e.Stdout, algorithms)
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

// printCards prints a line for each algorithm, family by family. A variant of one
// that is there too is named on that line.
func printCards(w io.Writer, algorithms []shm.Algorithm) error {
	if len(algorithms) == 0 {
		_, err := fmt.Fprintln(w, "No algorithm has all of that.")
		return err
	}
	there, variants := map[string]bool{}, map[string][]string{}
	for _, a := range algorithms {
		there[a.Name] = true
		if a.VariantOf != "" {
			variants[a.VariantOf] = append(variants[a.VariantOf], strings.TrimPrefix(a.Name, a.VariantOf+"-"))
		}
	}
	var b strings.Builder
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "name\tclass\tprocesses\tliveness\tbypass\torder\tkind\tlocal spin\tregisters\tweakest\talone\talso\tsource")
	last := ""
	for _, a := range algorithms {
		if there[a.VariantOf] {
			continue
		}
		if f := bench.Family(a.Name); f != last {
			fmt.Fprintf(t, "%s:%s\n", f, strings.Repeat("\t", 12))
			last = f
		}
		fmt.Fprintf(t, "%s\t%v\t%d..%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n",
			a.Name, a.Class, a.MinProcs, a.MaxProcs, liveness(a.Claims), a.Claims.Bypass, order(a.Claims), kindsOf(a), localSpin(a.Claims.LocalSpin),
			registers(a.Space), weakest(a.Claims.Weakest), alone(a), cmp.Or(strings.Join(variants[a.Name], ", "), "-"), source(a))
	}
	t.Flush()
	for line := range strings.Lines(b.String()) {
		if _, err := fmt.Fprintln(w, strings.TrimRight(line, " \n")); err != nil {
			return err
		}
	}
	_, err := fmt.Fprint(w, listLegend)
	return err
}

const listLegend = `
kind: try, a process may try to enter; abortable, it may give up while it waits; reader-writer, several readers may be inside.
local spin: the memory in which a passage makes a bounded number of remote references: that of coherent caches (cc), or
distributed with the processes (dsm). weakest: the weakest registers on which exclusion, freedom from deadlock and from
lockout are kept, in this order where they differ.
alone: loads, stores and read-modify-writes of a passage of process 0 while nobody else comes, in a lock for 8 processes or
for as many as it can have. also: the variants, name-packed and so on. Reconstructed: made from what is told of the paper.
`

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

func localSpin(l shm.LocalSpin) string {
	switch {
	case l.CC && l.DSM:
		return "cc, dsm"
	case l.CC:
		return "cc"
	case l.DSM:
		return "dsm"
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

// weakest is the registers on which a lock keeps its properties, in short:
// "safe", or "safe/safe/regular".
func weakest(w shm.Weakest) string {
	all := []string{string(w.Exclusion), string(w.DeadlockFree), string(w.StarvationFree)}
	if w.StarvationFree == "" {
		all = all[:2]
	}
	switch {
	case w == shm.Weakest{}:
		return "-"
	case w.Exclusion == w.DeadlockFree && (len(all) == 2 || w.DeadlockFree == w.StarvationFree):
		return all[0]
	}
	for i := range all {
		all[i] = cmp.Or(all[i], "-")
	}
	return strings.Join(all, "/")
}

// alone is the accesses of a process that nobody disturbs: "3+4+0".
func alone(a shm.Algorithm) string {
	n, ok := bench.AccessesOf(a)
	if !ok || a.Class&shm.Opaque != 0 {
		return "-"
	}
	return fmt.Sprintf("%d+%d+%d", n.Loads, n.Stores, n.RMWs)
}

func source(a shm.Algorithm) string {
	s := fmt.Sprintf("%s, %d", a.Source.Author, a.Source.Year)
	if a.Reconstructed {
		s += " (reconstructed)"
	}
	return s
}
