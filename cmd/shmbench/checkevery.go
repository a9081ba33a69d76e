package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"shmbench/catalog"
	"shmbench/check"
	"shmbench/internal/cli"
	"shmbench/internal/results/document"
	"shmbench/shm"
)

// every is the value of -procs for a proof for every number of processes.
const every = "every"

// procsList is the flag -procs of check: numbers of processes, or "every".
type procsList struct {
	cli.IntList
	every bool
}

func (p *procsList) Set(s string) error {
	if p.every = s == every; p.every {
		p.IntList = nil
		return nil
	}
	err := p.IntList.Set(s)
	switch {
	case err == nil || errors.Is(err, strconv.ErrRange):
		return err
	case slices.Contains(strings.Split(s, ","), every):
		return fmt.Errorf("%s cannot be combined with numbers", every)
	}
	return fmt.Errorf("%w, or %s", err, every)
}

// Get makes procsList a flag.Getter. The word every is within all limits of numbers.
func (p *procsList) Get() any {
	if p.every {
		return []int{1}
	}
	return []int(p.IntList)
}

func (p *procsList) String() string {
	if p.every {
		return every
	}
	return p.IntList.String()
}

// withEvery are the flags that may be given with -procs every.
var withEvery = cli.Rule{Flag: "procs", Value: every, Why: "-procs every proves only mutual exclusion, for passages by Lock and Unlock and sequentially consistent memory",
	Only: []string{"alg", "variants", "edit", "json", "o"}}

// checkEvery tries to prove mutual exclusion of the chosen locks for every number of processes.
func (c *checkFlags) checkEvery(ctx context.Context, e env) error {
	algorithms, err := c.chosen()
	if err != nil {
		return err
	}
	if c.out.traces != "" && len(algorithms) > 1 {
		return fmt.Errorf("-o %s is the certificate of one lock, and -alg %q matches %d", c.out.traces, c.selection.alg, len(algorithms))
	}
	all, err := gathered(ctx, func(each func(*check.EveryN)) error { return c.proveEach(ctx, algorithms, each) })
	if err != nil {
		return err
	}
	var open []string
	for _, x := range all {
		if x.MutualExclusion != check.Holds {
			open = append(open, x.Algorithm+": "+x.Undecided)
		}
	}
	if err := first(c.writeEvery(e.Stdout, ctx.Err() == nil && open == nil, all), interrupted(ctx, "%d locks were decided", len(all))); err != nil {
		return err
	}
	if open != nil {
		return cutShort("undecided for every n: %s", strings.Join(open, "; "))
	}
	return nil
}

// proveEach calls each with the verdict on each of the locks.
func (c *checkFlags) proveEach(ctx context.Context, algorithms []shm.Algorithm, each func(*check.EveryN)) error {
	if c.pkg != nil {
		source, err := check.Open(ctx, "", c.pkg.Path)
		if err != nil {
			return c.pkg.Of(err)
		}
		x, err := source.LockEveryN(ctx, c.pkg.Constructor)
		if err != nil {
			return c.pkg.Of(err)
		}
		each(x)
		return nil
	}
	source, err := check.OpenFor(ctx, catalog.Path, algorithms)
	if len(c.edits) > 0 {
		source, algorithms[0], err = c.openEdited(ctx, algorithms[0])
	}
	if err != nil {
		return err
	}
	for _, a := range algorithms {
		x, err := source.EveryN(ctx, "All", a)
		if err != nil {
			return err
		}
		each(x)
	}
	return nil
}

// writeEvery writes the certificate of one lock, if -o asks for it and there is one, and the
// verdicts.
func (c *checkFlags) writeEvery(w io.Writer, complete bool, all []*check.EveryN) error {
	if c.out.traces != "" && len(all) == 1 && all[0].MutualExclusion == check.Holds {
		if err := writeFile(c.out.traces, nil, all[0].WriteCertificate); err != nil {
			return err
		}
	}
	if c.json {
		return writeDocument(w, document.EveryN, complete, append([]*check.EveryN{}, all...))
	}
	for _, x := range all {
		if err := x.WriteText(w); err != nil {
			return err
		}
	}
	return nil
}
