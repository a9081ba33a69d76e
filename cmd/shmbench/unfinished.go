package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"shmbench/bench/benchfile"
)

// openResults reads a file of results, and says which lines are skipped. A verb that uses the
// file ends with unfinished.
func openResults(ctx context.Context, stderr io.Writer, path string) (*benchfile.File, error) {
	file, err := benchfile.Open(ctx, path, nil)
	if err != nil {
		return nil, err
	}
	for _, note := range file.Notes {
		fmt.Fprintf(stderr, "%s: %s\n", printable(path), printable(note))
	}
	return file, nil
}

// unfinished ends a verb that has used files of results; nil: all of them are complete.
func unfinished(files ...*benchfile.File) error {
	var said []string
	for _, f := range files {
		if f.Incomplete != "" {
			said = append(said, f.Name+" is not complete: "+f.Incomplete)
		}
	}
	if said == nil {
		return nil
	}
	return cutShort("%s", strings.Join(said, "; "))
}
