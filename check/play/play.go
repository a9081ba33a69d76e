package play

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"shmbench/check/internal/automaton"
	"shmbench/check/internal/execution"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/explored"
	"shmbench/check/internal/interp"
	"shmbench/check/internal/model"
	"shmbench/check/internal/source"
	"shmbench/internal/build/edit"
	"shmbench/shm"
)

// MostProcs is the most processes that a page plays.
const MostProcs = 4

// mostStates is how many states of a lock are visited on each memory, to find the values that
// occur on it.
const mostStates = 1 << 20

// Package is a package whose locks are played. One goroutine at a time may use it.
type Package struct {
	p        *source.Package
	machines *source.Machines // of all its locks: the package is initialized once
}

func newPackage(p *source.Package) *Package { return &Package{p, source.NewMachines(0)} }

// Open reads the Go package at a path, as check.Open does.
func Open(ctx context.Context, pkg string) (*Package, error) {
	p, err := source.Open(ctx, "", pkg)
	return newPackage(p), err
}

// OpenFor reads a package of this module for these algorithms of its function All.
func OpenFor(ctx context.Context, pkg string, algorithms []shm.Algorithm) (*Package, error) {
	p, err := source.OpenFor(ctx, pkg, algorithms)
	return newPackage(p), err
}

// OpenEdited reads changed copies of locks, which are the list "All".
func OpenEdited(ctx context.Context, program *edit.Program) (*Package, error) {
	p, err := source.OpenEdited(ctx, program)
	return newPackage(p), err
}

// Lock is a lock for N processes on each memory that it is played on.
type Lock struct {
	Document *Document
	explored []played // by machine
}

// played is a lock that was explored on one memory, and completed.
type played struct {
	lock *explored.Lock
	// pastDoorway has, by process, the local states past the doorway; nil if no doorway is known.
	pastDoorway [][]bool
}

// Algorithm is a lock of the package's list All, for n processes. It returns a *NotPlayed if
// the lock cannot be modeled.
func (p *Package) Algorithm(ctx context.Context, a shm.Algorithm, n int) (*Lock, error) {
	l, err := play(ctx, p.p.Algorithm("All", a), p.machines, n)
	if err == nil {
		l.Document.Title = a.Title
	}
	return l, err
}

// Constructor is the lock that a function of the package builds for n processes.
func (p *Package) Constructor(ctx context.Context, name string, n int) (*Lock, error) {
	return play(ctx, p.p.Lock(name), p.machines, n)
}

// NotPlayed says why a lock cannot be played.
type NotPlayed struct {
	Lock string
	N    int
	Why  error
}

func (e *NotPlayed) Error() string {
	return fmt.Sprintf("%s, n=%d, cannot be played: %v", e.Lock, e.N, e.Why)
}

func (e *NotPlayed) Unwrap() error { return e.Why }

func play(ctx context.Context, lock *source.Lock, machines *source.Machines, n int) (*Lock, error) {
	own := *lock
	own.ByAccess = true
	p := &player{ctx: ctx, lock: &own, opts: explore.Options{Workers: runtime.GOMAXPROCS(0), MaxStates: mostStates}}
	p.out = &Lock{Document: &Document{Format: format, Lock: lock.Name, N: n, Code: []Code{}, Machines: []*Machine{}}}
	b := source.NewBuilder(p.lock, machines)
	m, err := b.Build(ctx, n)
	if err != nil {
		return nil, p.notPlayed(err)
	}
	_, err = interp.Restart(func() (struct{}, error) {
		p.out.Document.Machines, p.out.Document.Omitted, p.out.explored = []*Machine{}, nil, nil
		learned, err := model.Of(ctx, b.Build, m, b.Options(0, p.opts))
		if stopped, ok := errors.AsType[*model.Stopped](err); ok && ctx.Err() == nil {
			return struct{}{}, p.partial(stopped)
		}
		if err != nil {
			return struct{}{}, err
		}
		return struct{}{}, p.all(learned)
	})
	if tooLarge(err) && ctx.Err() == nil {
		why := err
		m, err := b.Build(ctx, n)
		if err != nil {
			return nil, p.notPlayed(err)
		}
		_, err = interp.Restart(func() (struct{}, error) { return struct{}{}, p.some(m, why) })
		if err != nil {
			return nil, p.notPlayed(err)
		}
		return p.out, nil
	}
	if err != nil {
		return nil, p.notPlayed(err)
	}
	return p.out, nil
}

// tooLarge reports whether a lock was not learned because there is too much of it.
func tooLarge(err error) bool {
	var large *automaton.ErrTooLarge
	var piling *interp.Piling
	return errors.As(err, &large) || errors.As(err, &piling)
}

// player makes a lock into what is played.
type player struct {
	ctx  context.Context
	lock *source.Lock
	opts explore.Options
	out  *Lock
}

// notPlayed is a *NotPlayed if the reason is the lock.
func (p *player) notPlayed(err error) error {
	var fault *interp.Fault
	if p.ctx.Err() == nil && (errors.As(err, &fault) || tooLarge(err)) {
		return &NotPlayed{p.lock.Name, p.out.Document.N, err}
	}
	return err
}

// all adds the lock on each memory.
func (p *player) all(learned *model.Lock) error {
	written, err := explored.AsWritten(p.ctx, p.lock, learned, p.opts)
	if err != nil {
		return err
	}
	if fault, ok := errors.AsType[*interp.Fault](written.Complete().Stopped); ok && p.lock.Spec != nil && p.lock.Spec.Class&shm.Opaque != 0 {
		return fault
	}
	p.code(learned)
	as := Consistent
	if written.Memory.Terms().Memory == "tso" {
		as = Released
	}
	p.add(written, as)
	if err := p.storeOrder(learned); err != nil {
		return err
	}
	for _, registers := range []shm.RegisterModel{shm.Regular, shm.Safe} {
		if err := p.weak(learned, registers); err != nil {
			return err
		}
	}
	return p.ctx.Err()
}

func (p *player) add(x *explored.Lock, memory string) {
	x = x.Complete()
	m, pastDoorway := machine(x, memory)
	if fault, ok := errors.AsType[*interp.Fault](x.Stopped); ok {
		m.Partial = fault.Error()
	} else if _, missing := x.Graph.Bad[explore.Missing]; missing {
		m.Partial = fmt.Sprintf("the checker stopped after %d states", x.Graph.States)
	}
	p.out.Document.Machines = append(p.out.Document.Machines, m)
	p.out.explored = append(p.out.explored, played{x, pastDoorway})
}

func (p *player) omit(memory, why string) {
	p.out.Document.Omitted = append(p.out.Document.Omitted, Omitted{memory, why})
}

// stores reports whether a local state makes a store, and nothing else to its register.
func stores(k automaton.AccessKind) bool {
	return k&(automaton.Reads|automaton.Writes) == automaton.Writes
}

// storeOrder adds the lock with all its stores in store buffers.
func (p *player) storeOrder(learned *model.Lock) error {
	if !slices.ContainsFunc(learned.Model.Procs, func(of *automaton.Proc) bool {
		return slices.ContainsFunc(of.Local, func(l automaton.Local) bool { return stores(l.Kind) })
	}) {
		p.omit(StoreOrder, "the lock makes no store that could wait in a store buffer")
		return nil
	}
	x, err := explored.NewStoreOrder(p.ctx, p.lock, p.opts, true).Explore(learned.WithAllSeen(), &explored.Stores{
		Marks:   p.lock.Marks,
		Local:   func(l *automaton.Local) bool { return stores(l.Kind) },
		Learned: func(l *automaton.Learner, pid int, s int32) bool { return stores(l.Procs[pid].Kind(s)) },
	}, explored.ExclusionViolated)
	if err != nil {
		return p.left(StoreOrder, err)
	}
	p.add(x, StoreOrder)
	return nil
}

// left leaves a memory out if the lock is the reason.
func (p *player) left(memory string, err error) error {
	if errors.Is(err, interp.ErrReclassified) || p.ctx.Err() != nil {
		return err
	}
	p.omit(memory, err.Error())
	return nil
}

// weak adds the lock on registers that are not atomic.
func (p *player) weak(learned *model.Lock, registers shm.RegisterModel) error {
	switch {
	case learned.Model.Heap != nil:
		p.omit(string(registers), "processes share memory that they have allocated")
		return nil
	case !slices.Contains(learned.Model.Weak(), true) || !slices.ContainsFunc(learned.Model.Procs, func(of *automaton.Proc) bool {
		return slices.ContainsFunc(of.Local, func(l automaton.Local) bool { return stores(l.Kind) && learned.Model.Weak()[l.Reg] })
	}):
		p.omit(string(registers), "no register is only read and written")
		return nil
	}
	x, err := explored.NotAtomic(p.ctx, p.lock, learned, p.opts, registers)
	if err == nil && x.Sys == nil {
		err = x.Stopped
	}
	if err != nil {
		return p.left(string(registers), err)
	}
	p.add(x, string(registers))
	return nil
}

// code adds the source of the functions that access shared memory.
func (p *player) code(learned *model.Lock) {
	places, texts := p.lock.Code(learned)
	p.out.Document.Code = []Code{}
	for _, place := range places {
		i := strings.LastIndexByte(place, ':')
		c := Code{File: place[:i], Text: texts[place]}
		fmt.Sscan(place[i+1:], &c.Line)
		p.out.Document.Code = append(p.out.Document.Code, c)
	}
}

// partial adds a lock that was not learned to its end, as far as it is known.
func (p *player) partial(stopped *model.Stopped) error {
	learned := *stopped.Lock
	learned.Model = learned.Learner.Known(mostLocal)
	p.code(&learned)
	sys := explore.NewSC(learned.Model)
	x := explored.New(p.lock, &learned, execution.Consistent{Sys: sys}, sys, &explore.Graph{States: stopped.States}, p.opts)
	p.add(x, Consistent)
	p.out.Document.Machines[0].Partial = stopped.Error()
	for _, memory := range []string{StoreOrder, Regular, Safe} {
		p.omit(memory, "the lock is undecided")
	}
	return nil
}

// mostLocal is how many local states of a process are played of a lock that is undecided.
const mostLocal = 200

// some adds a lock that is too large to be learned, as far as a search gets.
func (p *player) some(m *interp.Machine, why error) error {
	p.out.Document.Machines, p.out.Document.Omitted, p.out.explored = []*Machine{}, nil, nil
	l, err := automaton.New(m, mostLocal, 0)
	if err != nil {
		return err
	}
	for {
		raw := explore.NewRaw(l, explore.RawOptions{MaxValues: mostLocal})
		g := explore.Run(p.ctx, raw, explore.Options{Workers: 1, MaxStates: mostStates / 16, Keep: true})
		switch {
		case p.ctx.Err() != nil:
			return p.ctx.Err()
		case raw.Err != nil && !tooLarge(raw.Err):
			return raw.Err
		case raw.Grown && raw.Err == nil:
			continue
		}
		return p.partial(&model.Stopped{Lock: &model.Lock{Learner: l, Seen: l.AllSeen()}, Why: why, States: g.States})
	}
}
