package main

import (
	"os"
	"runtime/debug"
)

const (
	// leastLimit is a limit below which collecting garbage would be all that is done.
	leastLimit = 1 << 30
	// seldom is a value of GOGC. With 100 the collector takes a third of the processor time
	// of a check of the catalog; with 400 the program takes about 2.6 times as
	// much memory there.
	seldom = 400
)

// collectSeldom lets the heap grow further between garbage collections while a check of
// mem bytes runs, unless the environment sets GOGC. It returns a function that
// restores what was before.
func collectSeldom(mem int64) (restore func()) {
	// What the search has thrown away is collected before all memory together is
	// more than it may take; the program itself takes some.
	limit := debug.SetMemoryLimit(max(mem/32*31, leastLimit))
	if os.Getenv("GOGC") != "" {
		return func() { debug.SetMemoryLimit(limit) }
	}
	percent := debug.SetGCPercent(seldom)
	return func() {
		debug.SetMemoryLimit(limit)
		debug.SetGCPercent(percent)
	}
}
