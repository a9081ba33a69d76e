package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"shmbench/catalog/knownbroken"
	"shmbench/internal/cli"
	"shmbench/internal/cli/table"
	"shmbench/internal/cli/words"
)

func knownBroken() cli.Named[knownbroken.Lock] {
	return cli.Named[knownbroken.Lock]{Kind: "known-broken lock", All: knownbroken.All(), Name: func(e knownbroken.Lock) string { return e.Name }, List: "shmbench list -known-broken shows the names"}
}

// belowRow begins a line that belongs to the row above it.
const belowRow = "    "

// listKnownBroken lists the published locks that are wrong. What goes wrong stands below each, in
// lines of at most listWidth characters.
func listKnownBroken(w io.Writer, alg string, asJSON bool) error {
	all, err := knownBroken().Match(alg)
	if err != nil {
		return err
	}
	if asJSON {
		return writeJSON(w, "list", true, all)
	}
	var b strings.Builder
	t := table.New(&b, "lock", "lacks", "n", "memory", "steps")
	for _, e := range all {
		fmt.Fprintf(t, "%s\t%s\t%d\t%s\t%d\n", strings.TrimPrefix(e.Name, "knownbroken/"), e.Property, e.Procs, e.Memory, e.Steps)
	}
	t.Flush() // to a builder, which cannot fail
	rows := slices.Collect(strings.Lines(b.String()))
	fmt.Fprint(w, rows[0])
	for i, e := range all {
		fmt.Fprint(w, rows[i+1])
		for _, text := range []string{fmt.Sprintf("%s, %d", e.Source.Author, e.Source.Year), e.Verdict} {
			for _, line := range words.Fold(text, listWidth-len(belowRow)) {
				if _, err := fmt.Fprintln(w, belowRow+line); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
