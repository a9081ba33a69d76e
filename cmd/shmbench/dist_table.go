package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"

	"shmbench/distributed"
	"shmbench/distributed/catalog"
	"shmbench/distributed/survey"
	"shmbench/internal/tty"
)

var distTable = verb{
	name:    "dist table",
	summary: "measure messages, delays, fairness and crashes of all algorithms against the textbook",
	example: "shmbench dist table -nodes 31\nshmbench dist table -alg raymond,naimi-trehel -nodes 100 -json",
	setup: func(fs *flag.FlagSet) body {
		algs := fs.String("alg", "", "algorithms with commas between them (default all)")
		nodes := fs.Int("nodes", 31, "how many nodes")
		seed := fs.Uint64("seed", 1, "seed of all randomness")
		asJSON := fs.Bool("json", false, "print one object an algorithm")
		return func(ctx context.Context, e env, _ []string) error {
			chosen, err := parseAlgorithms(*algs)
			if err != nil {
				return err
			}
			bar := tty.NewProgress(e.stderr, 0)
			rows, err := survey.Table(ctx, chosen, *nodes, *seed, func(done, of int) { bar.Of(done, of, "algorithms") })
			bar.Clear()
			if err := unlessStopped(e, "dist table", err); err != nil {
				return err
			}
			if *asJSON {
				return writeObjects(e.stdout, rows)
			}
			return survey.Rows(rows).WriteText(e.stdout)
		}
	},
}

// parseAlgorithms reads names with commas between them; none is all.
func parseAlgorithms(text string) ([]*distributed.Algorithm, error) {
	if text == "" {
		return catalog.All, nil
	}
	return parseList("-alg", text, "algorithms", catalog.Find)
}

// unlessStopped returns err unless it is that the user has stopped the verb,
// which it says on standard error: what is complete is then printed.
func unlessStopped(e env, verb string, err error) error {
	if errors.Is(err, context.Canceled) {
		fmt.Fprintf(e.stderr, "shmbench %s: stopped; what is complete follows\n", verb)
		return nil
	}
	return err
}

// writeObjects writes one JSON object a line.
func writeObjects[T any](w io.Writer, objects []T) error {
	enc := json.NewEncoder(w)
	for i := range objects {
		if err := enc.Encode(&objects[i]); err != nil {
			return err
		}
	}
	return nil
}

// writeJSON writes one JSON document.
func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
