// Package steps writes documents of executions, and the pages on which a reader steps
// through them.
package steps

import (
	"bytes"
	"encoding/json"
	"io"

	"shmbench/internal/cli"
	"shmbench/report"
)

// Usage says what -html is, where executions are found.
const Usage = "write a page to this `file` that steps through the executions"

// WriteDocument writes a document as cli.WriteDocument does, with texts of source.
func WriteDocument(w io.Writer, format string, complete bool, results any, sources map[string]string) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(struct {
		Format   string            `json:"format"`
		Complete bool              `json:"complete"`
		Results  any               `json:"results"`
		Sources  map[string]string `json:"sources,omitempty"`
	}{format, complete, results, sources})
}

// WritePage writes the page of the executions that a document has, and names the file on
// diagnostics.
func WritePage(diagnostics io.Writer, path, format string, results any, sources map[string]string) error {
	var document bytes.Buffer
	if err := WriteDocument(&document, format, true, results, sources); err != nil {
		return err
	}
	in := new(report.Input)
	in.Add(path, document.Bytes())
	return cli.WritePage(diagnostics, path, in.WriteSteps)
}
