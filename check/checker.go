package check

import (
	"context"

	"shmbench/shm"
)

// Checker checks algorithms of one list of a package, one after the other, each under
// its own options. It builds their compiled package once.
type Checker struct {
	src  *Source
	list string
	run  runner
}

// Checker returns a checker of the algorithms that the function called list returns.
// The caller must close it.
func (src *Source) Checker(list string) *Checker { return &Checker{src: src, list: list} }

// Check checks an algorithm against its specification, with one report for each n.
func (c *Checker) Check(ctx context.Context, a shm.Algorithm, o Options) ([]*Report, error) {
	c.run.o = o
	return c.run.check(ctx, c.src.pkg.Algorithm(c.list, a, o.Paths...))
}

// Close ends the program of the compiled locks.
func (c *Checker) Close() { c.run.close() }
