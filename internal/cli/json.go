package cli

import (
	"encoding/json"
	"io"
	"strings"
	"unicode"

	"shmbench/internal/results/document"
)

// Printable returns s without what would move the cursor of a terminal or
// change its colors: names of files and what is in them may hold anything.
func Printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || !unicode.IsControl(r) {
			return r
		}
		return '\uFFFD'
	}, s)
}

// WriteJSON writes the one document that -json prints. complete: all that was
// asked for is in it.
func WriteJSON(w io.Writer, program, verb string, complete bool, results any) error {
	return WriteDocument(w, document.Format(program, verb), complete, results)
}

// WriteDocument is WriteJSON for a document of another format.
func WriteDocument(w io.Writer, format string, complete bool, results any) error {
	return WriteSourced(w, format, complete, results, nil)
}

// WriteSourced is WriteDocument for a document that also has texts of source.
func WriteSourced(w io.Writer, format string, complete bool, results any, sources map[string]string) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(struct {
		Format   string            `json:"format"`
		Complete bool              `json:"complete"`
		Results  any               `json:"results"`
		Sources  map[string]string `json:"sources,omitempty"`
	}{format, complete, results, sources})
}
