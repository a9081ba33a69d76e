package main

import (
	"context"

	"shmbench/check"
	"shmbench/internal/document"
	"shmbench/internal/mutantcheck"
)

// checkMutants checks the broken locks against their entries. It is errViolated if one is
// not what its entry says.
func (c *checkFlags) checkMutants(ctx context.Context, e env) error {
	all, err := brokenLocks().Match(c.selection.alg)
	if err != nil {
		return err
	}
	c.o.Sources = c.json || c.out.page != ""
	finished, err := gathered(ctx, func(each func(*mutantcheck.Checked)) error { return mutantcheck.Run(ctx, all, c.o, each) })
	if err != nil {
		return err
	}
	checked := mutantcheck.All(finished)
	texts, err := writeShown(e.Stderr, c, checked, func(x *mutantcheck.Checked) *check.Report { return x.Report })
	if err != nil {
		return err
	}
	if c.json {
		err = writeSourced(e.Stdout, document.Check, ctx.Err() == nil, append(mutantcheck.All{}, checked...), texts)
	} else {
		err = checked.WriteText(e.Stdout)
	}
	if err == nil && checked.Err() != nil {
		err = errViolated
	}
	return first(err, interrupted(ctx, "%d of %d mutants were checked", len(checked), len(all)))
}
