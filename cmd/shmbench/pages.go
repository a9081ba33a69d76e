package main

import (
	"io"
	"maps"

	"shmbench/check"
)

// writePage writes the page of -html, if it is asked for.
func (c *checkFlags) writePage(diagnostics io.Writer, traces []*check.Trace, sources map[string]string) error {
	if c.html == "" {
		return nil
	}
	return writeSteps(diagnostics, c.html, check.TraceFormat, traces, sources)
}

// textsOf are the functions that reports name.
func textsOf(reports []*check.Report) map[string]string {
	texts := map[string]string{}
	for _, r := range reports {
		maps.Copy(texts, r.Texts())
	}
	return texts
}
