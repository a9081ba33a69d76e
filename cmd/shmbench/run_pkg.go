package main

import (
	"context"

	"shmbench/bench"
	"shmbench/bench/forks"
	"shmbench/internal/machine/topo"
	"shmbench/shm"
)

// ownLock is the user's lock, in a program that has the locks of the catalog too.
type ownLock struct {
	*forks.Description
	program forks.Program
}

// build builds the program of the user's lock. The caller removes it.
func (f *runFlags) build(ctx context.Context) (remove func(), err error) {
	if err := native(); err != nil {
		return nil, err
	}
	_, remove, err = temporary(func(dir, program string) error {
		name, err := foreignProgram{pkg: *f.pkg, main: "shmbench/bench/forks"}.build(ctx, dir, program)
		f.own = &ownLock{program: forks.Program(program)}
		if err == nil {
			f.own.Description, err = f.own.program.Describe(ctx, name, f.x.Procs)
		}
		return f.pkg.Of(err)
	})
	if err != nil {
		return nil, first(interrupted(ctx, "nothing was measured"), err)
	}
	return remove, nil
}

// algorithm is as much of the lock as is needed outside of its program.
func (l *ownLock) algorithm() shm.Algorithm {
	return shm.Algorithm{Name: l.Name, MinProcs: l.MinProcs, MaxProcs: l.MaxProcs}
}

// facts are what a file of results says about the lock.
func (l *ownLock) facts() []topo.Pair {
	if l == nil || l.Specification == nil {
		return nil
	}
	return []topo.Pair{{Key: bench.SpecificationKey + l.Name, Value: string(l.Specification)}}
}

// is reports whether an algorithm is this lock, under any of its names.
func (l *ownLock) is(a shm.Algorithm) bool {
	return l != nil && (a.Name == l.Name || a.VariantOf == l.Name)
}

// loop is where the measured loop is in the program that measures.
func (l *ownLock) loop() string {
	if l != nil {
		return l.Loop
	}
	return bench.LoopPlace()
}

// modes are those of an algorithm, which may be this lock.
func (l *ownLock) modes(a shm.Algorithm) []shm.Mode {
	if l.is(a) {
		return l.Modes
	}
	return a.Modes()
}
