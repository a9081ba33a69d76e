package main

import (
	"context"
	"maps"
	"slices"
	"sync"

	"shmbench/check"
)

// checkMutants checks the broken locks against their entries. It is errViolated if one is
// not what its entry says.
func (c *checkFlags) checkMutants(ctx context.Context, e env) error {
	if err := inapplicable(c.fs, "the entry of a mutant says for how many processes it shows its fault",
		"exhibits", "edit", "procs", "topology", "passages", "memory", "registers", "pkg", "new", "dot", "process", "unheld"); err != nil {
		return err
	}
	all, err := brokenLocks().match(c.selection.alg)
	if err != nil {
		return err
	}
	c.o.Sources = c.json || c.html != ""
	var mu sync.Mutex
	var finished check.CheckedMutants
	err = within(ctx, func() error {
		return check.Mutants(ctx, all, c.o, func(x *check.CheckedMutant) {
			mu.Lock()
			defer mu.Unlock()
			finished = append(finished, x)
		})
	})
	if err != nil && ctx.Err() == nil {
		return err
	}
	mu.Lock()
	checked := slices.Clone(finished)
	mu.Unlock()
	traces, texts := []*check.Trace{}, map[string]string{}
	for _, x := range checked {
		if t := x.Trace(); t != nil {
			traces = append(traces, t)
			maps.Copy(texts, x.Report.Texts())
		}
	}
	if err := c.write(traces, texts); err != nil {
		return err
	}
	if c.json {
		err = writeSourced(e.Stdout, checkFormat, ctx.Err() == nil, append(check.CheckedMutants{}, checked...), texts)
	} else {
		err = checked.WriteText(e.Stdout)
	}
	if err == nil && checked.Err() != nil {
		err = errViolated
	}
	return first(err, interrupted(ctx, "%d of %d mutants were checked", len(checked), len(all)))
}
