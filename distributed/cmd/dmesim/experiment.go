package main

import (
	"context"
	"io"

	"shmbench/internal/cli"
	"shmbench/internal/cli/tty"
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

// printed prints results as one document or as text. Missing says what is missing of them.
// The errors are those of the verb, the gravest first, if the results can be written.
func printed(e cli.Env, verb string, asJSON bool, results any, text func(io.Writer) error, missing error, errs ...error) error {
	write := func() error { return text(e.Stdout) }
	if asJSON {
		write = func() error { return writeJSON(e.Stdout, verb, missing == nil, results) }
	}
	return cli.First(append([]error{write()}, append(errs, missing)...)...)
}
