package main

import (
	"flag"

	"shmbench/bench"
	"shmbench/internal/cli"
	"shmbench/shm"
)

// What several verbs take is declared here, so that it means the same on all.

// procsLimit limits -procs to the numbers of processes that locks are built for.
func procsLimit(fs *flag.FlagSet) {
	cli.Between(fs, "procs", 1, shm.MaxProcs, "the number of processes")
}

// registersLimit limits -registers to the models of registers.
func registersLimit(fs *flag.FlagSet) {
	cli.OneOf(fs, "registers", "the model of registers", string(shm.Atomic), string(shm.Regular), string(shm.Safe))
}

// loadLimits limits the flags of a workload.
func loadLimits(fs *flag.FlagSet) {
	cli.Between(fs, "cs", 0, bench.MaxWork, "the time in the critical section")
	cli.Between(fs, "ncs", 0, bench.MaxWork, "the time between critical sections")
	cli.Between(fs, "cs-lines", 0, bench.MaxLines, "the number of cache lines")
}
