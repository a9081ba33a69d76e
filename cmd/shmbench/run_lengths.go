package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"shmbench/bench"
)

// lengthFlag is a length of a section, or a sweep of lengths.
type lengthFlag struct {
	time.Duration
	sweep bool
}

// Get returns the length, for its limits.
func (l *lengthFlag) Get() any { return l.Duration }

func (l *lengthFlag) String() string {
	if l.sweep {
		return "sweep"
	}
	return l.Duration.String()
}

func (l *lengthFlag) Set(s string) (err error) {
	if *l = (lengthFlag{sweep: s == "sweep"}); l.sweep {
		return nil
	}
	if l.Duration, err = time.ParseDuration(s); err != nil {
		return errors.New("write a time with its unit, such as 200ns, or sweep")
	}
	return nil
}

// sweptLengths are the lengths of a sweep, which are the same on every machine. The
// shortest is about a passage without contention, the longest about a system call.
var sweptLengths = []time.Duration{0, 20, 50, 100, 200, 500, 1000, 2000, 5000}

// lengths measures a suite with each length of the section that is swept.
func (f *runFlags) lengths(ctx context.Context, suite bench.Suite, rec *recorder) error {
	for _, length := range sweptLengths {
		step := suite
		if f.cs.sweep {
			step.Workload.CS = length
		} else {
			step.Workload.NCS = length
		}
		rec.next(step)
		if err := f.take(ctx, step, rec); err != nil {
			return err
		}
	}
	return nil
}

// sweeps refuses what a sweep goes without.
func (f *runFlags) sweeps() error {
	for _, s := range []struct {
		name      string
		on, wrong bool
		without   string
	}{
		{"-rate", f.rate.sweep, f.aa || f.forks > 1 || f.ncs.Duration > 0 || f.readers > 0 || f.cs.sweep || f.ncs.sweep, "-aa, -forks, -ncs, -readers and another sweep"},
		{"-cs", f.cs.sweep, f.aa || f.rate.rate > 0 || f.ncs.sweep, "-aa, -rate and another sweep"},
		{"-ncs", f.ncs.sweep, f.aa || f.rate.rate > 0, "-aa and -rate"},
	} {
		if s.on && s.wrong {
			return fmt.Errorf("%s sweep goes without %s", s.name, s.without)
		}
	}
	return nil
}

// swept reports whether something is swept.
func (f *runFlags) swept() bool { return f.rate.sweep || f.cs.sweep || f.ncs.sweep }
