package check

import (
	"context"
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

// lock is the first stage of a check: the source of a lock, how to build it, and what
// is asked of it. Nothing changes it.
type lock struct {
	name   string
	prog   *load.Program
	card   *shm.Algorithm // nil if there is none
	origin Origin
	target replay.Target // it may have other locks besides
	find   func(*interp.Machine) (*interp.Closure, error)
	// mixed: passages are made in all modes that the lock has, and not only by Lock
	// and Unlock.
	mixed bool
	// invariants are those on the card, and those of Options.
	invariants []shm.Invariant
}

// mix returns the lock with passages in all modes. Invariants are of Lock and Unlock.
func (l *lock) mix() *lock {
	m := *l
	m.mixed, m.invariants = true, nil
	return &m
}

// called is the lock's name, with what distinguishes a check in all modes.
func (l *lock) called() string {
	if l.mixed {
		return l.name + " (all modes)"
	}
	return l.name
}

// marks says where doorways end, and on which line a process is if invariants
// may ask.
func (l *lock) marks(of *automaton.Learner) automaton.Marks {
	place := ""
	if l.card != nil && !l.mixed {
		place = l.card.Claims.Place
	}
	doorways := of.Doorways(place, l.doorway(shm.Exclusive), l.doorway(shm.Shared))
	if len(l.invariants) > 0 {
		return of.Lines(doorways)
	}
	return doorways
}

// doorway is the label of the last line of the doorway in a mode that the card
// claims, if it claims one.
func (l *lock) doorway(mode shm.Mode) string {
	switch {
	case l.card == nil:
		return ""
	case !l.mixed:
		return l.card.Claims.Doorway
	case mode == shm.Shared:
		return l.card.Claims.Mixed.Readers.Doorway
	}
	return l.card.Claims.Mixed.Writers.Doorway
}

// compiled builds the lock's package as the compiler has it.
func (l *lock) compiled(ctx context.Context) (*replay.Program, error) {
	return replay.Start(ctx, l.target)
}

// learn learns the lock for n processes. The marks of o are the lock's.
func (l *lock) learn(ctx context.Context, n int, o model.Options) (*model.Lock, error) {
	o.Marks = l.marks
	return model.Learn(ctx, (&builder{lock: l, machines: newMachines(0)}).build, n, o)
}

// builder builds a lock on fresh machines.
type builder struct {
	lock     *lock
	machines *machines
	// words are the numbers of bits of integer types that are not as usual.
	words map[types.BasicKind]int
	// needs are the registers, by name, that an invariant reads and nothing else
	// depends on.
	needs []string
	// bounds is what is known of the registers, whatever n is.
	bounds *model.Bounds
}

func newBuilder(l *lock, machines *machines) *builder {
	return &builder{lock: l, machines: machines, bounds: new(model.Bounds)}
}

// needing returns a builder of the same lock in which these registers are not
// forgotten.
func (b *builder) needing(registers []string) *builder {
	more := *b
	more.needs = registers
	return &more
}

// narrow returns a builder of the same lock with integers of the given widths.
func (b *builder) narrow(words map[types.BasicKind]int) *builder {
	return &builder{lock: b.lock, machines: b.machines, words: words}
}

// options say how to learn what is built.
func (b *builder) options(passages int, search explore.Options) model.Options {
	return model.Options{Passages: passages, Explore: search, Memory: b.machines.memory, Marks: b.lock.marks, Bounds: b.bounds}
}

// build returns a fresh machine with the lock for n processes. With an error it
// returns the machine too, if there is one.
func (b *builder) build(ctx context.Context, n int) (*interp.Machine, error) {
	m, constructor, err := b.machines.find(ctx, b.lock, b.words)
	if err != nil {
		return nil, err
	}
	if b.lock.mixed {
		m.Mix()
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
	return m, nil
}

// machines keeps machines on which packages are initialised and cards are listed, by
// the widths of their words. All locks of one runner share it.
type machines struct {
	memory      int64 // that a constructor may allocate, 0 for the usual
	initialised map[string]*interp.Machine
}

func newMachines(memory int64) *machines {
	return &machines{memory, map[string]*interp.Machine{}}
}

// find returns a fresh machine, and the function that builds a lock on it.
func (k *machines) find(ctx context.Context, l *lock, words map[types.BasicKind]int) (*interp.Machine, *interp.Closure, error) {
	widths := fmt.Sprint(words)
	m := k.initialised[widths]
	if m == nil {
		m = interp.New(ctx, l.prog)
		m.Word(words)
		m.Memory(k.memory)
		if err := m.Init(); err != nil {
			return nil, nil, err
		}
	}
	constructor, err := l.find(m)
	if err != nil {
		return nil, nil, err
	}
	k.initialised[widths] = m
	return m.Fork(ctx), constructor, nil
}
