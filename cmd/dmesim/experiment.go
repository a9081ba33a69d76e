package main

import (
	"context"
	"io"

	"shmbench/internal/cli"
	"shmbench/internal/tty"
)

// measured runs an experiment and shows its progress: so many of so many things are done. An
// interruption is no error: the results are then those that are complete.
func measured[T any](ctx context.Context, e cli.Env, things string, run func(progress func(done, of int)) (T, error)) (T, error) {
	bar := tty.NewProgress(e.Stderr, 0)
	results, err := run(func(done, of int) { bar.Of(done, of, things) })
	bar.Clear()
	if ctx.Err() != nil {
		err = nil
	}
	return results, err
}

// printed prints results as one document or as text. Missing says what is missing of them,
// and is the error if nothing else goes wrong.
func printed(e cli.Env, verb string, asJSON bool, results any, text func(io.Writer) error, missing error) error {
	if asJSON {
		return cli.First(writeJSON(e.Stdout, verb, missing == nil, results), missing)
	}
	return cli.First(text(e.Stdout), missing)
}
