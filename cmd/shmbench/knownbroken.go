package main

import (
	"context"
	"fmt"
	"io"

	"shmbench/check"
	"shmbench/internal/brokencheck"
	"shmbench/internal/cli"
	"shmbench/internal/document"
	"shmbench/internal/table"
	"shmbench/knownbroken"
)

func knownBroken() cli.Named[knownbroken.Lock] {
	return cli.Named[knownbroken.Lock]{Kind: "known-broken lock", All: knownbroken.All(), Name: func(e knownbroken.Lock) string { return e.Name }, List: "shmbench list -known-broken shows the names"}
}

// listKnownBroken lists the published locks that are wrong.
func listKnownBroken(w io.Writer, alg string, asJSON bool) error {
	all, err := knownBroken().Match(alg)
	if err != nil {
		return err
	}
	if asJSON {
		return writeJSON(w, "list", true, all)
	}
	t := table.New(w, "lock", "lacks", "n", "memory", "steps", "source", "what goes wrong")
	for _, e := range all {
		fmt.Fprintf(t, "%s\t%s\t%d\t%s\t%d\t%s, %d\t%s\n", e.Name, e.Property, e.Procs, e.Memory, e.Steps, e.Source.Author, e.Source.Year, e.Verdict)
	}
	return t.Flush()
}

// checkKnownBroken checks published errors against their specifications. It is errViolated if one does
// not show what its specification says.
func (c *checkFlags) checkKnownBroken(ctx context.Context, e env) error {
	all, err := knownBroken().Match(c.selection.alg)
	if err != nil {
		return err
	}
	c.o.Sources = c.json || c.out.page != ""
	finished, err := gathered(ctx, func(each func(*brokencheck.Result)) error { return brokencheck.Check(ctx, all, c.o, each) })
	if err != nil {
		return err
	}
	shown := brokencheck.Results(finished)
	texts, err := writeShown(e.Stderr, c, shown, func(x *brokencheck.Result) *check.Report { return x.Report })
	if err != nil {
		return err
	}
	if c.json {
		err = writeSourced(e.Stdout, document.Check, ctx.Err() == nil, append(brokencheck.Results{}, shown...), texts)
	} else {
		err = shown.WriteText(e.Stdout)
	}
	return first(err, knownBrokenVerdict(shown), interrupted(ctx, "%d of %d known-broken locks were checked", len(shown), len(all)))
}

func knownBrokenVerdict(shown brokencheck.Results) error {
	for _, x := range shown {
		if err := x.Err(); err != nil {
			return errViolated
		}
	}
	return nil
}
