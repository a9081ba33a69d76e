package main

import (
	"context"
	"fmt"

	"golang.org/x/perf/benchfmt"

	"shmbench/bench"
	"shmbench/report/compare"
	"shmbench/shm"
)

// sixLocks are measured by -aa unless -alg names others.
const sixLocks = "^(baseline/mutex|tas/ttas|queue/ticket|queue/mcs|queue/clh|bakery/lamport)$"

// twice returns the algorithms, and then again under a second name.
func twice(algorithms []shm.Algorithm) []shm.Algorithm {
	for _, a := range algorithms {
		algorithms = append(algorithms, bench.MeasuredAgain(a))
	}
	return algorithms
}

// agree measures again and again, and says whether the reruns agree.
func (f *runFlags) agree(ctx context.Context, e env, suite bench.Suite, rec *recorder) error {
	var reruns [][]*benchfmt.Result
	var err error
	for i := range f.reruns {
		rec.restart(fmt.Sprintf("rerun %d of %d, ", i+1, f.reruns))
		if err = f.measure(ctx, suite, rec); err != nil {
			break
		}
		reruns = append(reruns, rec.results())
	}
	rec.progress.Clear()
	agreement := compare.Agree(reruns)
	missing := rec.end(ctx, err)
	if len(reruns) > 0 {
		missing = first(missing, agreement.WriteText(e.Stdout))
	}
	err = first(missing, rec.verdict(ctx))
	if err == nil && !(agreement.Names.Holds() && agreement.Reruns.Holds()) {
		return errViolated
	}
	return err
}
