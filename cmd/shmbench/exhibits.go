package main

import (
	"context"
	"fmt"
	"io"
	"text/tabwriter"

	"shmbench/check"
	"shmbench/exhibits"
	"shmbench/internal/cli"
	"shmbench/internal/knownbroken"
)

func exhibited() cli.Named[exhibits.Exhibit] {
	return cli.Named[exhibits.Exhibit]{Kind: "known-broken lock", All: exhibits.All(), Name: func(e exhibits.Exhibit) string { return e.Name }, List: "shmbench list -exhibits shows the names"}
}

// listExhibits lists the published locks that are wrong.
func listExhibits(w io.Writer, alg string, asJSON bool) error {
	all, err := exhibited().Match(alg)
	if err != nil {
		return err
	}
	if asJSON {
		return writeJSON(w, "list", true, all)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "lock\tlacks\tn\tmemory\tsteps\tsource\twhat goes wrong")
	for _, e := range all {
		fmt.Fprintf(t, "%s\t%s\t%d\t%s\t%d\t%s, %d\t%s\n", e.Name, e.Property, e.Procs, e.Memory, e.Steps, e.Source.Author, e.Source.Year, e.Verdict)
	}
	return t.Flush()
}

// checkExhibits checks published errors against their specifications. It is errViolated if one does
// not show what its specification says.
func (c *checkFlags) checkExhibits(ctx context.Context, e env) error {
	if err := only(c.fs, "the specification of a known-broken lock says for how many processes and on which memory it fails",
		"exhibits", "alg", "json", "trace", "html", "max-states", "mem", "workers", "replays"); err != nil {
		return err
	}
	all, err := exhibited().Match(c.selection.alg)
	if err != nil {
		return err
	}
	c.o.Sources = c.json || c.html != ""
	finished, err := gathered(ctx, func(each func(*knownbroken.Exhibited)) error { return knownbroken.Exhibits(ctx, all, c.o, each) })
	if err != nil {
		return err
	}
	shown := knownbroken.Exhibition(finished)
	texts, err := writeShown(c, shown, func(x *knownbroken.Exhibited) *check.Report { return x.Report })
	if err != nil {
		return err
	}
	if c.json {
		err = writeSourced(e.Stdout, checkFormat, ctx.Err() == nil, append(knownbroken.Exhibition{}, shown...), texts)
	} else {
		err = shown.WriteText(e.Stdout)
	}
	return first(err, exhibitsVerdict(shown), interrupted(ctx, "%d of %d known-broken locks were checked", len(shown), len(all)))
}

func exhibitsVerdict(shown knownbroken.Exhibition) error {
	for _, x := range shown {
		if err := x.Err(); err != nil {
			return errViolated
		}
	}
	return nil
}
