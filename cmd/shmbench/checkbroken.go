package main

import (
	"context"
	"io"
	"maps"

	"shmbench/check"
	"shmbench/cmd/shmbench/brokencheck"
	"shmbench/cmd/shmbench/mutantcheck"
	"shmbench/internal/results/document"
)

// checkMutants checks the mutants against their entries.
func (c *checkFlags) checkMutants(ctx context.Context, e env) error {
	all, err := brokenLocks().Match(c.selection.alg)
	if err != nil {
		return err
	}
	return checkBroken[mutantcheck.All](ctx, e, c, len(all), "mutants",
		func(each func(*mutantcheck.Checked)) error { return mutantcheck.Run(ctx, all, c.o, each) },
		func(x *mutantcheck.Checked) *check.Report { return x.Report })
}

// checkKnownBroken checks published errors against their specifications.
func (c *checkFlags) checkKnownBroken(ctx context.Context, e env) error {
	all, err := knownBroken().Match(c.selection.alg)
	if err != nil {
		return err
	}
	return checkBroken[brokencheck.Results](ctx, e, c, len(all), "known-broken locks",
		func(each func(*brokencheck.Result)) error { return brokencheck.Check(ctx, all, c.o, each) },
		func(x *brokencheck.Result) *check.Report { return x.Report })
}

// checkBroken checks so many broken locks with run, and shows them with the files of -o. It is
// errViolated if one is not what its entry says.
func checkBroken[L interface {
	~[]T
	WriteText(io.Writer) error
	Err() error
}, T interface{ Trace() *check.Trace }](ctx context.Context, e env, c *checkFlags, total int, what string, run func(each func(T)) error, report func(T) *check.Report) error {
	c.o.Sources = c.json || c.out.page != ""
	finished, err := gathered(ctx, run)
	if err != nil {
		return err
	}
	checked := append(L{}, finished...)
	traces, texts := []*check.Trace{}, map[string]string{}
	for _, x := range checked {
		if t := x.Trace(); t != nil {
			traces = append(traces, t)
			maps.Copy(texts, report(x).Texts())
		}
	}
	if err := c.out.write(e.Stderr, traces, texts); err != nil {
		return err
	}
	if c.json {
		err = writeSourced(e.Stdout, document.Check, ctx.Err() == nil, checked, texts)
	} else {
		err = checked.WriteText(e.Stdout)
	}
	if err == nil && checked.Err() != nil {
		err = errViolated
	}
	return first(err, interrupted(ctx, "%d of %d %s were checked", len(checked), total, what))
}
