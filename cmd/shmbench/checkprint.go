package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"shmbench/check"
	"shmbench/internal/results/document"
)

// print writes the reports as a table and in words, or as a document.
func (c *checkFlags) print(w io.Writer, complete bool, reports []*check.Report) error {
	if c.json {
		if reports == nil {
			reports = []*check.Report{}
		}
		return writeSourced(w, document.Check, complete, reports, textsOf(reports))
	}
	if err := check.Table(reports).WriteText(w); err != nil {
		return err
	}
	for _, r := range reports {
		if err := r.WriteText(w); err != nil {
			return err
		}
	}
	if c.pkg == nil && len(c.edits) == 0 {
		fmt.Fprintln(w)
		return check.Results(reports).WriteText(w)
	}
	return nil
}

// mostReasons is how many reasons fit into the last line of a check.
const mostReasons = 8

// outcome is an error if a lock and its specification disagree, if a lock without a
// specification does not exclude or can deadlock, or if something that a lock must do
// or claims was not decided.
func (c *checkFlags) outcome(reports []*check.Report) error {
	own := c.pkg != nil || len(c.edits) > 0
	if slices.ContainsFunc(reports, func(r *check.Report) bool {
		return len(r.Disagreements) > 0 && !(own && r.Refused != "") || len(r.Violated()) > 0
	}) {
		return errViolated
	}
	var open, beyond []string
	for _, r := range reports {
		switch {
		case own && r.Refused != "":
			return fmt.Errorf("%s is undecided: %s", r.Algorithm, r.Refused)
		case r.Refused != "":
			beyond = append(beyond, r.Algorithm)
		case len(r.Undecided) > 0:
			open = append(open, fmt.Sprintf("%s, n=%d: %s", r.Algorithm, r.N, r.Undecided[0].Why))
		}
	}
	switch {
	case len(open) > mostReasons:
		return cutShort("not decided: %d of %d reports; the lines above have the reasons", len(open), len(reports))
	case len(open) > 0:
		return cutShort("not decided: %s", strings.Join(open, "; "))
	case len(beyond) == len(reports):
		return cutShort("undecided: %s", strings.Join(slices.Compact(beyond), ", "))
	}
	return nil
}
