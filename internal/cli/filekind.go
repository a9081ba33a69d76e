package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"regexp"
)

// The kinds of files that verbs write.
const (
	Page     = "an HTML page"
	Drawing  = "an SVG drawing"
	Graph    = "a graph for Graphviz"
	Sequence = "a sequence diagram"
)

// endings are those of names that tell the kind.
var endings = map[string]string{".html": Page, ".svg": Drawing, ".dot": Graph, ".mmd": Sequence}

// kinds are what files are, told by how they begin. The first that matches is it.
var kinds = []struct {
	begins *regexp.Regexp
	kind   string
}{
	{regexp.MustCompile(`(?i)^<(!doctype )?html`), Page},
	{regexp.MustCompile(`^(<\?xml.*\?>\s*)?<svg`), Drawing},
	{regexp.MustCompile(`^(di)?graph\b`), Graph},
	{regexp.MustCompile(`^sequenceDiagram\b`), Sequence},
	{regexp.MustCompile(`(?m)^(Unit \S+ \S+=|# format: |Benchmark\S+\s)`), "a file of benchmark results"},
	{regexp.MustCompile(`^[{[]`), "a JSON document"},
}

// format is in the documents that verbs write. It has the number of its version at its end.
var format = regexp.MustCompile(`^{\s*"format":\s*"(.*?) ?[0-9]*"`)

// kindOf says what kind a file is that begins with this text.
func kindOf(text []byte) string {
	text = bytes.TrimSpace(text)
	if f := format.FindSubmatch(text); f != nil {
		return "a document of " + string(f[1])
	}
	for _, k := range kinds {
		if k.begins.Match(text) {
			return k.kind
		}
	}
	return "another text"
}

// headOf is how much of a file tells its kind.
const headOf = 4 << 10

// keep refuses to overwrite a file of another kind; "" is a kind that is not known yet.
func keep(path, kind string) error {
	info, err := os.Stat(path)
	if kind == "" || err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, headOf))
	if err != nil {
		return err
	}
	if there := kindOf(head); there != kind {
		return fmt.Errorf("this is %s, and %s would overwrite it: name another file, or remove it first", there, kind)
	}
	return nil
}
