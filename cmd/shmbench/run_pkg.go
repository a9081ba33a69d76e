package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"shmbench/bench"
	"shmbench/bench/forks"
	"shmbench/internal/scratch"
	"shmbench/internal/topo"
	"shmbench/shm"
)

// ownLock is the lock of -pkg, in a program that has the locks of the catalogue too.
type ownLock struct {
	*forks.Description
	program forks.Program
}

// build builds the program, for some numbers of processes. The caller removes it.
func (f *runFlags) build(ctx context.Context, procs []int) (lock *ownLock, remove func(), err error) {
	if err := native(); err != nil {
		return nil, nil, err
	}
	if err := inapplicable(f.fs, "it is of this program, and -pkg measures in another one", "cpuprofile", "exectrace"); err != nil {
		return nil, nil, err
	}
	dir, remove, err := scratch.Folder("", "shmbench-run-")
	if err != nil {
		return nil, nil, err
	}
	program := filepath.Join(dir, "run.exe")
	name, err := foreignProgram{pkg: f.pkg, constructor: f.constructor, main: "shmbench/bench/forks"}.build(ctx, dir, program)
	lock = &ownLock{program: forks.Program(program)}
	if err == nil {
		lock.Description, err = lock.program.Describe(ctx, name, procs)
	}
	if err != nil {
		remove()
		if ctx.Err() != nil {
			return nil, nil, interrupted(ctx, "nothing was measured")
		}
		return nil, nil, fmt.Errorf("-pkg %s: %w", f.pkg, err)
	}
	return lock, remove, nil
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
func (f *runFlags) loop() string {
	if f.own != nil {
		return f.own.Loop
	}
	return bench.LoopPlace()
}

// modes are those of a lock.
func (f *runFlags) modes(a shm.Algorithm) []shm.Mode {
	if f.own.is(a) {
		return f.own.Modes
	}
	return a.Modes()
}

// uncounted are the names of the locks of the catalogue whose atomics have not been
// counted.
func (f *runFlags) uncounted(algorithms []shm.Algorithm) []string {
	return bench.Uncounted(slices.DeleteFunc(slices.Clone(algorithms), f.own.is))
}
