package cli

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNothingOverwritesAnotherKind: a file is overwritten by a file of its kind, and by no other.
func TestNothingOverwritesAnotherKind(t *testing.T) {
	kinds := map[string][]string{
		"an HTML page":                {"<!doctype html>\n<p>", "<!DOCTYPE html>", "\n<html>"},
		"an SVG drawing":              {"<svg width=1>", "<?xml version=\"1.0\"?>\n<svg>"},
		"a graph for Graphviz":        {"digraph {\n}", "graph g {"},
		"a sequence diagram":          {"sequenceDiagram\n"},
		"a file of benchmark results": {"Unit ns/op better=lower\n", "goos: linux\nBenchmarkA-2 1 5 ns/op\n", "# format: shmbench results 2\n"},
		"a JSON document":             {`{"name": "package"}`, "[]"},
		"a document of shmbench list": {`{"format": "shmbench list 1", "complete": true}`, "{\n  \"format\": \"shmbench list 2\"}"},
		"a document of dmesim replay": {`{"format":"dmesim replay 1"}`},
		"another text":                {"# Notes\nA graph.\n", "graphs", "\x00\xff"},
	}
	path := filepath.Join(t.TempDir(), "file")
	write := func(text string) error {
		return WriteFile(path, nil, func(w io.Writer) error {
			_, err := io.WriteString(w, text)
			return err
		})
	}
	for kind, texts := range kinds {
		for _, before := range texts {
			require.Equal(t, kind, kindOf([]byte(before)), before)
			for other, texts := range kinds {
				require.NoError(t, os.WriteFile(path, []byte(before), 0o666))
				err := write(texts[0])
				text, failed := os.ReadFile(path)
				require.NoError(t, failed)
				if kind == other {
					require.NoError(t, err)
					require.Equal(t, texts[0], string(text))
					continue
				}
				require.EqualError(t, err, path+": this is "+kind+", and "+other+" would overwrite it: name another file, or remove it first")
				require.Equal(t, before, string(text))
			}
		}
	}
	require.NoError(t, os.WriteFile(path, nil, 0o666))
	require.NoError(t, write("{}"), "an empty file is nothing")
}
