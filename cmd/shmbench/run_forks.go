package main

import (
	"context"
	"os"

	"shmbench/bench"
	"shmbench/bench/forks"
)

// take takes the samples of a suite, here or in programs of their own.
func (f *runFlags) take(ctx context.Context, s bench.Suite, l bench.Listener) error {
	if f.forks == 1 && f.own == nil {
		return s.Run(ctx, l)
	}
	program, err := f.program()
	if err != nil {
		return err
	}
	x := forks.Of(s)
	x.Topology, x.Wait = string(f.topology), f.wait
	if f.own != nil {
		x.Own = f.own.Name
	}
	cases, _ := s.Cases()
	if f.forks == 1 {
		return program.Measure(ctx, x, cases, 0, 0, l)
	}
	begun := 0
	for i := range f.forks { // among which the rounds are divided
		x.Count = (i+1)*s.Count/f.forks - i*s.Count/f.forks
		if err := program.Measure(ctx, x, cases, i+1, begun, l); err != nil {
			return err
		}
		begun += x.Count
	}
	return nil
}

// program is the program that has all the locks.
func (f *runFlags) program() (forks.Program, error) {
	if f.own != nil {
		return f.own.program, nil
	}
	path, err := os.Executable()
	return forks.Program(path), err
}
