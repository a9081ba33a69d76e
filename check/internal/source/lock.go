// Package source has the first stage of a check: a lock as its Go source has it. A Package
// is read once. A Lock of it says how the lock is built and what is asked of it. A
// Builder builds the lock on fresh machines of the interpreter. An Origin says where a
// lock of a trace is found again. Code returns the functions that access shared memory.
package source

import (
	"context"
	"errors"
	"fmt"
	"go/types"
	"slices"

	"shmbench/check/internal/automaton"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
	"shmbench/check/internal/load"
	"shmbench/check/internal/model"
	"shmbench/check/internal/replay"
	"shmbench/shm"
)

// Lock is the first stage of a check: the source of a lock, how to build it, and what
// is asked of it. Nothing changes it.
type Lock struct {
	Name   string
	Prog   *load.Program
	Spec   *shm.Algorithm // nil if there is none
	Origin Origin
	Target replay.Target // it may have other locks besides
	Find   func(*interp.Machine) (*interp.Closure, error)
	// Mixed: passages are made in all modes that the lock has, and not only by Lock
	// and Unlock.
	Mixed bool
	// Crashes, if not nil, are those of processes. Passages begin with Recover then, if the lock
	// has it.
	Crashes *explore.Crashes
	// ByAccess: local states whose accesses are at different places of the source are kept apart.
	ByAccess bool
	// Invariants are those on the specification, and those of Options.
	Invariants []shm.Invariant
}

// Mix returns the lock with passages in all modes. Invariants are of Lock and Unlock.
func (l *Lock) Mix() *Lock {
	m := *l
	m.Mixed, m.Invariants = true, nil
	return &m
}

// Crash returns the lock with processes that crash. Invariants are of processes that do not.
func (l *Lock) Crash(crashes explore.Crashes) *Lock {
	c := *l
	c.Crashes, c.Invariants = &crashes, nil
	return &c
}

// Called is the lock's name, with what distinguishes a check in all modes.
func (l *Lock) Called() string {
	if l.Mixed {
		return l.Name + " (all modes)"
	}
	return l.Name
}

// Marks says where doorways end, on which line a process is if invariants may ask, and which
// access it makes if the lock is ByAccess.
func (l *Lock) Marks(of *automaton.Learner) automaton.Marks {
	place := ""
	if l.Spec != nil && !l.Mixed {
		place = l.Spec.Claims.Place
	}
	doorways := of.Doorways(place, l.Doorway(shm.Exclusive), l.Doorway(shm.Shared))
	switch {
	case l.ByAccess:
		return of.Accesses(doorways)
	case len(l.Invariants) > 0:
		return of.Lines(doorways)
	}
	return doorways
}

// Doorway is the label of the last line of the doorway in a mode that the specification
// claims, if it claims one.
func (l *Lock) Doorway(mode shm.Mode) string {
	switch {
	case l.Spec == nil:
		return ""
	case !l.Mixed:
		return l.Spec.Claims.Doorway
	case mode == shm.Shared:
		return l.Spec.Claims.Mixed.Readers.Doorway
	}
	return l.Spec.Claims.Mixed.Writers.Doorway
}

// Compiled builds the lock's package as the compiler has it.
func (l *Lock) Compiled(ctx context.Context) (*replay.Program, error) {
	return replay.Start(ctx, l.Target)
}

// Learn learns the lock for n processes. The marks of o are the lock's.
func (l *Lock) Learn(ctx context.Context, n int, o model.Options) (*model.Lock, error) {
	o.Marks = l.Marks
	return model.Learn(ctx, (&Builder{Lock: l, machines: NewMachines(0)}).Build, n, o)
}

// Builder builds a lock on fresh machines.
type Builder struct {
	Lock     *Lock
	machines *Machines
	// words are the numbers of bits of integer types that are not as usual.
	words map[types.BasicKind]int
	// counting: the registers whose names pass count modulo this number.
	counting uint64
	counters func(name string) bool
	// needs are the registers, by name, that an invariant reads and nothing else
	// depends on.
	needs []string
	// bounds is what is known of the registers, whatever n is.
	bounds *model.Bounds
}

// NewBuilder returns a builder of a lock on these machines.
func NewBuilder(l *Lock, machines *Machines) *Builder {
	return &Builder{Lock: l, machines: machines, bounds: new(model.Bounds)}
}

// Needing returns a builder of the same lock in which these registers are not
// forgotten.
func (b *Builder) Needing(registers []string) *Builder {
	more := *b
	more.needs = registers
	return &more
}

// Narrow returns a builder of the same lock with integers of the given widths.
func (b *Builder) Narrow(words map[types.BasicKind]int) *Builder {
	return &Builder{Lock: b.Lock, machines: b.machines, words: words}
}

// Counting returns a builder of the same lock in which some registers, by their names, count
// modulo a number.
func (b *Builder) Counting(modulo uint64, counters func(name string) bool) *Builder {
	return &Builder{Lock: b.Lock, machines: b.machines, needs: b.needs, counting: modulo, counters: counters}
}

// Options say how to learn what is built.
func (b *Builder) Options(passages int, search explore.Options) model.Options {
	return model.Options{Passages: passages, Explore: search, Memory: b.machines.memory, Crashes: b.Lock.Crashes, Marks: b.Lock.Marks, Bounds: b.bounds}
}

// Build returns a fresh machine with the lock for n processes. With an error it
// returns the machine too, if there is one.
func (b *Builder) Build(ctx context.Context, n int) (*interp.Machine, error) {
	m, constructor, err := b.machines.find(ctx, b.Lock, b.words)
	if err != nil {
		return nil, err
	}
	if b.Lock.Mixed {
		m.Mix()
	}
	if b.Lock.Crashes != nil {
		m.Recover()
	}
	if err := m.Build(constructor, n); err != nil {
		return m, err
	}
	if len(b.needs) > 0 {
		for at, name := range m.Names().All() {
			if slices.Contains(b.needs, name) {
				m.Need(at)
			}
		}
	}
	if b.counters != nil {
		var cells []interp.Ptr
		for at, name := range m.Names().All() {
			if b.counters(name) {
				cells = append(cells, at)
			}
		}
		m.Count(b.counting, cells)
	}
	return m, nil
}

// Machines keeps machines on which packages are initialized and specifications are listed, by
// the widths of their words. All locks of one runner share it.
type Machines struct {
	memory      int64 // that a constructor may allocate, 0 for the usual
	initialized map[string]*interp.Machine
}

// NewMachines returns machines on which a constructor may allocate so many bytes; 0 is the
// usual number.
func NewMachines(memory int64) *Machines {
	return &Machines{memory, map[string]*interp.Machine{}}
}

// find returns a fresh machine, and the function that builds a lock on it.
func (k *Machines) find(ctx context.Context, l *Lock, words map[types.BasicKind]int) (*interp.Machine, *interp.Closure, error) {
	widths := fmt.Sprint(words)
	m := k.initialized[widths]
	if m == nil {
		m = interp.New(ctx, l.Prog)
		m.Word(words)
		m.Memory(k.memory)
		if err := m.Init(); err != nil {
			return nil, nil, err
		}
	}
	constructor, err := l.Find(m)
	if err != nil {
		return nil, nil, err
	}
	k.initialized[widths] = m
	return m.Fork(ctx), constructor, nil
}

// LearnSome learns the lock for n processes, as far as that can be.
func (l *Lock) LearnSome(ctx context.Context, n int) (*model.Lock, error) {
	learned, err := l.Learn(ctx, n, model.Options{})
	if stopped, ok := errors.AsType[*model.Stopped](err); ok && ctx.Err() == nil {
		return stopped.Lock, nil // of what was learned by then
	}
	return learned, err
}

// MaxProcs is the most processes that can be checked.
const MaxProcs = 16
