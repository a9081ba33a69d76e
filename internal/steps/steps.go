// Package steps writes the pages on which a reader steps through executions.
package steps

import (
	"bytes"
	"io"

	"shmbench/internal/cli"
	"shmbench/report"
)

// Usage says what -html is, where executions are found.
const Usage = "write a page to this `file` that steps through the executions"

// WritePage writes the page of the executions that a document has, and names the file on
// diagnostics.
func WritePage(diagnostics io.Writer, path, format string, results any, sources map[string]string) error {
	var document bytes.Buffer
	if err := cli.WriteSourced(&document, format, true, results, sources); err != nil {
		return err
	}
	in := new(report.Input)
	in.Add(path, document.Bytes())
	return cli.WritePage(diagnostics, path, in.WriteSteps)
}
