package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"shmbench/catalog/mutants"
)

// listMutants lists the broken locks whose names match, lock by lock.
func listMutants(w io.Writer, alg string, asJSON bool) error {
	all, err := brokenLocks().Match(alg)
	if err != nil {
		return err
	}
	if asJSON {
		return writeJSON(w, "list -mutants", true, append([]mutants.Mutant{}, all...))
	}
	for i, m := range all {
		if of := cmp.Or(m.Of, "written by hand"); i == 0 || m.Of != all[i-1].Of {
			fmt.Fprintf(w, "%s\n", of)
		}
		crashes := ""
		if m.Crashes != "" {
			crashes = fmt.Sprintf(" with -crashes %s", m.Crashes)
		}
		fmt.Fprintf(w, "  %s: %v at n = %d%s\n      %s\n", strings.TrimPrefix(m.Name, "mutants/"), m.Verdict, m.Procs, crashes, m.Broken)
		for _, e := range m.Edits {
			fmt.Fprintf(w, "      %s\n", e)
		}
	}
	_, err = fmt.Fprintf(w, "\n%d mutants. \"shmbench check -mutants -alg NAME\" shows the shortest execution of each.\n", len(all))
	return err
}
