package check

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"shmbench/check/internal/analyse"
	"shmbench/check/internal/automaton"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
	"shmbench/check/internal/model"
)

// Fences is what a lock needs of its stores under total store order.
type Fences struct {
	Stores []StoreSite `json:"stores"`
	// Removable is a largest set of stores, in that no further one can be
	// added, that can all go without a fence: indexes of Stores. UpTo is as with
	// StoreSite, of the set.
	Removable []int `json:"removable"`
	UpTo      int   `json:"up_to,omitempty"`
}

// StoreSite is a line of source that stores.
type StoreSite struct {
	File  string `json:"file"`
	Line  int    `json:"line"`
	Label string `json:"label,omitempty"`
	// Needed: without the fence of this store alone, all others having theirs,
	// Loses is no longer true of the lock. If it is not needed, UpTo is how many
	// stores a buffer could hold, if that bound was reached, and otherwise 0.
	Needed bool   `json:"needed"`
	Loses  string `json:"loses,omitempty"`
	UpTo   int    `json:"up_to,omitempty"`
}

// siteShift is where the site of a store begins in a local state's mark, above
// those of the doorway.
const (
	siteShift = 2
	siteMask  = 1<<30 - 1
)

const (
	// tsoStates is how many states are explored at most where Options sets no
	// bound: store buffers multiply them, once for each set of fences.
	tsoStates = 1 << 22
	// A buffer holds firstBuffered stores at first, and is doubled up to
	// mostBuffered where that may make a difference.
	firstBuffered = 4
	mostBuffered  = 32
)

var errBuffersOfSlots = &interp.Fault{Refused: true, Open: true,
	Msg: "store buffers are not explored where Lock or Unlock shares memory that it has allocated"}

// decideTSO explores a lock under total store order, first with a fence behind
// every store and then with none, and decides what it does without.
func decideTSO(ctx context.Context, s *subject, lock *model.Lock, opts explore.Options) (*decided, error) {
	opts.Keep = true
	if opts.MaxStates == 0 {
		opts.MaxStates = tsoStates
	}
	f := &fencing{subject: s, ctx: ctx, opts: opts}
	known := *lock
	known.Seen = lock.Learner.AllSeen()
	fenced, err := f.exploreWith(&known, func(int) bool { return false }, firstBuffered)
	if err != nil {
		return nil, err
	}
	f.fenced = properties(fenced)
	all, err := f.explore(fenced.lock, func(int) bool { return true }, unsafe)
	if err != nil {
		return nil, err
	}
	x := all.complete()
	d, err := decide(ctx, x)
	if err == nil && x.graph.Exhausted {
		d.fences, err = f.fences(x.lock)
	}
	return d, err
}

// fencing is the search for stores that can do without a fence.
type fencing struct {
	*subject
	ctx    context.Context
	opts   explore.Options
	sites  []StoreSite // that have been met so far
	fenced []string    // the properties that hold with all fences
}

// errTooMany says that the states are too many without some fence.
var errTooMany = errors.New("too many states")

// fences tries each store without its fence, and then as many as can be. It
// returns nil if the states are too many for that.
func (f *fencing) fences(lock *model.Lock) (*Fences, error) {
	out := &Fences{Removable: []int{}}
	for i := 0; i < len(f.sites); i++ { // more may be met on the way
		lost, upTo, err := f.loses(lock, func(k int) bool { return k == i })
		if err != nil {
			return nil, unlessTooMany(err)
		}
		f.sites[i].Needed, f.sites[i].Loses, f.sites[i].UpTo = lost != "", lost, upTo
	}
	for i := range f.sites {
		lost, upTo, err := f.loses(lock, func(k int) bool { return k == i || slices.Contains(out.Removable, k) })
		if err != nil {
			return nil, unlessTooMany(err)
		}
		if lost == "" {
			out.Removable, out.UpTo = append(out.Removable, i), upTo
		}
	}
	out.Stores = slices.Clone(f.sites)
	return out, nil
}

// unlessTooMany returns an error unless it is errTooMany.
func unlessTooMany(err error) error {
	if err == errTooMany {
		return nil
	}
	return err
}

// loses returns the first property that holds with all fences, and does not
// when the stores go without that unfenced holds for; if there is none, upTo is
// how many stores a buffer could hold, if one was full, and otherwise 0.
func (f *fencing) loses(lock *model.Lock, unfenced func(site int) bool) (lost string, upTo int, err error) {
	x, err := f.explore(lock, unfenced, func(x *explored) bool { return f.lost(x) != "" })
	if err != nil {
		return "", 0, err
	}
	if lost = f.lost(x); lost == "" && !x.graph.Exhausted {
		return "", 0, errTooMany
	}
	return lost, x.bufferedStores, nil
}

func unsafe(x *explored) bool {
	_, bad := x.graph.Bad[explore.Exclusion]
	return bad
}

// lost returns the first property that holds with all fences, and was found
// not to hold in what was explored.
func (f *fencing) lost(x *explored) string {
	if !x.graph.Exhausted {
		if unsafe(x) && slices.Contains(f.fenced, MutualExclusion) {
			return MutualExclusion
		}
		return ""
	}
	now := properties(x)
	for _, p := range f.fenced {
		if !slices.Contains(now, p) {
			return p
		}
	}
	return ""
}

// properties returns the properties that hold in what was explored.
func properties(x *explored) []string {
	var hold []string
	add := func(property string, violated bool) {
		if !violated {
			hold = append(hold, property)
		}
	}
	add(MutualExclusion, unsafe(x))
	if !x.graph.Exhausted {
		return hold
	}
	space := analyse.New(x.graph, x.n, x.opts.Workers, x.section)
	add(DeadlockFreedom, space.Deadlock() != nil)
	for pid := range x.n {
		add(fmt.Sprintf("%s of process %d", StarvationFreedom, pid), space.Stays(pid, interp.Entry, nil) != nil)
		add(fmt.Sprintf("%s of process %d", ExitProgress, pid), space.Stays(pid, interp.Exit, nil) != nil)
	}
	return hold
}

// explore explores with the given stores buffered. The buffers grow until none
// is ever full, or enough is known.
func (f *fencing) explore(lock *model.Lock, unfenced func(site int) bool, enough func(*explored) bool) (*explored, error) {
	var before *explored
	for capacity := firstBuffered; ; capacity *= 2 {
		x, err := f.exploreWith(lock, unfenced, capacity)
		switch {
		case err != nil:
			return nil, err
		case !x.graph.Exhausted && before != nil && !enough(x): // less room must do
			return before, nil
		case x.bufferedStores == 0 || !x.graph.Exhausted || capacity >= mostBuffered || enough(x):
			return x, nil
		}
		before, lock = x, x.lock
	}
}

// exploreWith explores with buffers of the given capacity, or less if the
// automata tell that no process can ever have so many stores in its buffer.
// Values that only occur under store buffers are learned on the way.
func (f *fencing) exploreWith(known *model.Lock, unfenced func(site int) bool, capacity int) (*explored, error) {
	lock := *known
	for {
		m, err := lock.Learner.Minimise(lock.Seen, f.marks(lock.Learner))
		if err != nil {
			return nil, err
		}
		if lock.Passages > 0 {
			m = m.Limit(lock.Passages)
		}
		lock.Model = m
		buffered := func(pid int, s int32) bool {
			site := int(m.Procs[pid].Local[s].Mark >> siteShift & siteMask)
			return site > 0 && unfenced(site-1)
		}
		most := 1
		for pid, p := range m.Procs {
			k := p.MostStores(func(s int32) bool { return buffered(pid, s) })
			if k == automaton.Endless || k > capacity {
				k = capacity
			}
			most = max(most, k)
		}
		sc := explore.NewSC(m)
		sys := explore.NewTSO(sc, most, buffered)
		x := &explored{subject: f.subject, n: m.N, memory: "tso", lock: &lock, names: lock.Learner.M.Names(),
			sys: sc, system: sys, opts: f.opts, graph: explore.Run(f.ctx, sys, f.opts),
			buffers: func(pid int, s int32) bool {
				site := f.site(lock.Learner, pid, s)
				return site > 0 && unfenced(site-1)
			}}
		if sys.Full.Load() {
			x.bufferedStores = capacity
		}
		if err := f.ctx.Err(); err != nil {
			return nil, err
		}
		if !sys.Missing.Load() {
			return x, nil
		}
		lock.Seen = lock.Learner.AllSeen()
	}
}

// marks adds the sites of stores to the marks of doorways.
func (f *fencing) marks(l *automaton.Learner) automaton.Marks {
	doorways := f.subject.marks(l)
	return func(pid int, reached []int32, seen automaton.Seen) map[int32]int64 {
		marks := doorways(pid, reached, seen)
		for _, s := range reached {
			marks[s] |= int64(f.site(l, pid, s)) << siteShift
		}
		return marks
	}
}

// site numbers the lines that store, from 1; it is 0 for what is no store.
func (f *fencing) site(l *automaton.Learner, pid int, s int32) int {
	st := l.Procs[pid].States[s]
	if st.Access == nil || st.Access.Op != interp.Store {
		return 0
	}
	pos, label := l.M.Place(st)
	file, line := l.M.Prog.Place(pos)
	i := slices.IndexFunc(f.sites, func(k StoreSite) bool { return k.File == file && k.Line == line })
	if i < 0 {
		i = len(f.sites)
		f.sites = append(f.sites, StoreSite{File: file, Line: line, Label: label})
	}
	return i + 1
}

// pending is a store in a buffer.
type pending struct {
	reg, value int32
	step       Step
}

// buffering runs a schedule under store buffers: actor N+p moves the oldest
// store of process p to memory.
type buffering struct {
	*simulation
	buffered func(pid int, state int32) bool
	buffer   [][]pending
}

func (b *buffering) step(actor int) (Step, error) {
	n := len(b.states)
	if actor >= n {
		p := b.buffer[actor-n][0]
		b.buffer[actor-n] = b.buffer[actor-n][1:]
		p.step.Op, p.step.Turn, p.step.Section = "flush", "", b.next(actor-n).Section.String()
		p.step.Before = b.names.Value(b.l.Regs[p.reg].At, b.l.Regs[p.reg].Values[b.values[p.reg]])
		b.values[p.reg] = p.value
		return p.step, nil
	}
	reg := b.l.Procs[actor].Reg[b.states[actor]]
	memory := b.values[reg]
	buffered := b.buffered(actor, b.states[actor])
	if b.next(actor).Access.Op == interp.Load {
		for _, p := range b.buffer[actor] {
			if p.reg == reg {
				b.values[reg] = p.value
			}
		}
	}
	step, err := b.simulation.step(actor)
	if buffered {
		b.buffer[actor] = append(b.buffer[actor], pending{reg, b.values[reg], step})
	}
	if buffered || step.Op == "load" {
		b.values[reg] = memory
	}
	return step, err
}
