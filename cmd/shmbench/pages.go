package main

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"

	"shmbench/check"
	"shmbench/report"
)

// htmlUsage says what -html is, where executions are found.
const htmlUsage = "write a page to this `file` on which the executions are stepped through"

// writeSourced writes a document as writeDocument does, with texts of source.
func writeSourced(w io.Writer, format string, complete bool, results any, sources map[string]string) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(struct {
		Format   string            `json:"format"`
		Complete bool              `json:"complete"`
		Results  any               `json:"results"`
		Sources  map[string]string `json:"sources,omitempty"`
	}{format, complete, results, sources})
}

// writeSteps writes the page of the executions that a document has.
func writeSteps(path, format string, results any, sources map[string]string) error {
	var document bytes.Buffer
	if err := writeSourced(&document, format, true, results, sources); err != nil {
		return err
	}
	in := new(report.Input)
	in.Add(path, document.Bytes())
	return writeFile(path, nil, in.WriteSteps)
}

// writePage writes the page of -html, if it is asked for.
func (c *checkFlags) writePage(traces []*check.Trace, sources map[string]string) error {
	if c.html == "" {
		return nil
	}
	return writeSteps(c.html, check.TraceFormat, traces, sources)
}

// textsOf are the functions that reports name.
func textsOf(reports []*check.Report) map[string]string {
	texts := map[string]string{}
	for _, r := range reports {
		maps.Copy(texts, r.Texts())
	}
	return texts
}
