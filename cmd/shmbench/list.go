package main

import (
	"context"
	"flag"
	"fmt"
	"io"

	"shmbench/bench"
	"shmbench/catalog"
	"shmbench/internal/cli"
	"shmbench/internal/cli/table"
	"shmbench/shm"
)

var listVerb = verb{
	Name:    "list",
	Summary: "list the locks by family; with a name, print one lock in full, with its source",
	Args:    "[NAME]",
	Example: "shmbench list\n" +
		"shmbench list queue/mcs\n" +
		"shmbench list -cite queue/mcs\n" +
		"shmbench list -class rw -has fcfs,bounded\n" +
		"shmbench list -has reader-writer\n" +
		"shmbench list -has starvation-free -registers safe -procs 4\n" +
		"shmbench list -alg '^queue/' -json\n" +
		"shmbench list -cheapest results.txt\n" +
		"shmbench list -layout-for results/amd-epyc-2\n" +
		"shmbench list -layout-for epyc-7742 -alg queue -procs 64\n" +
		"shmbench list -long -alg '^peterson/'\n" +
		"shmbench list -known-broken\n" +
		"shmbench list -mutants -alg mcs",
	Groups: []cli.Group{
		{Heading: "instead of the locks of the catalog", Flags: []string{"known-broken", "mutants", "short", "cheapest", "layout-for"}},
		{Heading: cli.Output, Flags: []string{"json", "long", "cite"}},
	},
	Rules: []cli.Rule{
		{Flag: "mutants", Why: "-mutants lists all that -alg matches", Only: []string{"alg", "json"}},
		{Flag: "known-broken", Why: "-known-broken lists all that -alg matches", Only: []string{"alg", "json"}},
		{Flag: "short", Why: "-short lists what run measures", Only: []string{"json"}},
		{Flag: "long", Without: []string{"json"}},
		{Flag: "cite", Without: []string{"json", "long", "cheapest", "layout-for"}},
		{Flag: "layout-for", Without: []string{"cheapest", "long"}},
	},
	Setup: func(fs *flag.FlagSet) body {
		l := listing{fs: fs}
		l.selection.declare(fs, "default all")
		l.wanted.declare(fs)
		fs.BoolVar(&l.long, "long", false, "print every column: registers, variants, sources; the lines are up to 500 columns long; -json has every column too")
		fs.BoolVar(&l.wrong, "known-broken", false, "the published locks that are wrong, and the property that each lock lacks")
		fs.BoolVar(&l.broken, "mutants", false, "the deliberately broken locks: the lock, the change and the verdict")
		fs.BoolVar(&l.cite, "cite", false, "print the sources as BibTeX entries")
		fs.Var(&l.measured, "cheapest", "for each property, the cheapest lock of this result `file`, or of last, the latest result of run without -o")
		cli.Reads(fs, "cheapest")
		fs.Var(&l.layoutFor, "layout-for", "for each lock with two layouts, the better layout on this `machine`: a result file, last, a folder of results, or a machine of predict (shmbench predict machines); "+
			"with -procs, for this number of processes")
		cli.MayRead(fs, "layout-for")
		fs.BoolVar(&l.short, "short", false, "the locks that run measures by default, and the reason for each")
		jsonFlag(fs, &l.json)
		return l.run
	},
}

// listing is one use of the verb.
type listing struct {
	fs                               *flag.FlagSet
	selection                        selection
	wanted                           wanted
	measured, layoutFor              resultFile
	json, long, wrong, broken, short bool
	cite                             bool // print BibTeX
}

func (l *listing) run(ctx context.Context, e env, names []string) error {
	switch {
	case len(names) > 0:
		if err := only(l.fs, fmt.Sprintf("a name prints one lock in full: write -alg %s to list it", names[0]), "json", "cite"); err != nil {
			return err
		}
		if l.cite {
			return citeOne(e.Stdout, names)
		}
		return listOne(e.Stdout, names, l.json)
	case l.broken:
		return listMutants(e.Stdout, l.selection.alg, l.json)
	case l.wrong:
		return listKnownBroken(e.Stdout, l.selection.alg, l.json)
	case l.short:
		return listShort(e.Stdout, l.json)
	case l.measured != "":
		return listCheapest(ctx, e, string(l.measured), l.selection, l.wanted, l.json)
	}
	algorithms, err := l.selection.locks()
	if err != nil {
		return err
	}
	if algorithms, err = l.wanted.of(algorithms); err != nil {
		return err
	}
	switch {
	case l.layoutFor != "":
		return l.adviseLayouts(ctx, e, algorithms)
	case l.json:
		return writeJSON(e.Stdout, "list", true, listed(algorithms))
	case len(algorithms) == 0:
		_, err := fmt.Fprintln(e.Stdout, "No lock has all of these properties.")
		return err
	case l.cite:
		return citeAll(e.Stdout, algorithms)
	case l.long:
		return printLong(e.Stdout, algorithms)
	}
	return printTable(e.Stdout, algorithms)
}

// listShort lists what is measured unless others are named.
func listShort(w io.Writer, asJSON bool) error {
	chosen := catalog.Short()
	if asJSON {
		return writeJSON(w, "list", true, chosen)
	}
	t := table.New(w, "name", "why it is measured")
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
