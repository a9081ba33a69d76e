package check

import (
	"errors"
	"fmt"
	"slices"

	"shmbench/check/internal/analyse"
	"shmbench/check/internal/automaton"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
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
const siteShift = 2

// fencing is the search for stores that can do without a fence.
type fencing struct {
	*checking
	sites  []StoreSite
	opts   explore.Options
	fenced []string // the properties that hold with all fences
	full   bool     // a process had to wait for room in its buffer
}

func (c *checking) tso(eo explore.Options) error {
	if eo.MaxStates == 0 {
		eo.MaxStates = tsoStates
	}
	f := &fencing{checking: c, opts: eo}
	c.r.Memory = "tso"
	c.lock.Seen = c.lock.Learner.AllSeen()
	if err := f.exploreWith(func(int) bool { return false }, firstBuffered); err != nil {
		return err
	}
	f.fenced = f.properties()
	upTo, err := f.explore(func(int) bool { return true }, f.unsafe)
	if err != nil {
		return err
	}
	c.r.BufferedStores = upTo
	c.counts()
	if !c.verdicts() || !c.g.Exhausted {
		return nil
	}
	if err := f.fences(); err != errTooMany {
		return err
	}
	return nil // the fences stay unknown
}

// errTooMany says that the states are too many without some fence.
var errTooMany = errors.New("too many states")

const (
	// tsoStates is how many states are explored at most where Options sets no
	// bound: store buffers multiply them, once for each set of fences.
	tsoStates = 1 << 22
	// A buffer holds firstBuffered stores at first, and is doubled up to
	// mostBuffered where that may make a difference.
	firstBuffered = 4
	mostBuffered  = 32
)

// fences tries each store without its fence, and then as many as can be.
func (f *fencing) fences() error {
	out := &Fences{Removable: []int{}}
	for i := range f.sites {
		lost, upTo, err := f.loses(func(k int) bool { return k == i })
		if err != nil {
			return err
		}
		f.sites[i].Needed, f.sites[i].Loses, f.sites[i].UpTo = lost != "", lost, upTo
	}
	for i := range f.sites {
		lost, upTo, err := f.loses(func(k int) bool { return k == i || slices.Contains(out.Removable, k) })
		if err != nil {
			return err
		}
		if lost == "" {
			out.Removable, out.UpTo = append(out.Removable, i), upTo
		}
	}
	out.Stores = f.sites
	f.r.Fences = out
	return nil
}

// loses returns the first property that holds with all fences, and does not
// when the stores go without that unfenced holds for; if there is none, upTo is
// as explore returns it.
func (f *fencing) loses(unfenced func(site int) bool) (lost string, upTo int, err error) {
	without, lock := *f.checking, *f.lock
	without.lock = &lock
	t := &fencing{checking: &without, sites: f.sites, opts: f.opts, fenced: f.fenced}
	upTo, err = t.explore(unfenced, func() bool { return t.lost() != "" })
	if err != nil {
		return "", 0, err
	}
	if lost = t.lost(); lost == "" && !t.g.Exhausted {
		return "", 0, errTooMany
	}
	return lost, upTo, nil
}

func (f *fencing) unsafe() bool {
	_, bad := f.g.Bad[explore.Exclusion]
	return bad
}

// lost returns the first property that holds with all fences, and was found
// not to hold in what was explored.
func (f *fencing) lost() string {
	if !f.g.Exhausted {
		if f.unsafe() && slices.Contains(f.fenced, MutualExclusion) {
			return MutualExclusion
		}
		return ""
	}
	now := f.properties()
	for _, p := range f.fenced {
		if !slices.Contains(now, p) {
			return p
		}
	}
	return ""
}

// properties returns the properties that hold in what was explored.
func (f *fencing) properties() []string {
	var hold []string
	add := func(property string, violated bool) {
		if !violated {
			hold = append(hold, property)
		}
	}
	_, bad := f.g.Bad[explore.Exclusion]
	add(MutualExclusion, bad)
	if !f.g.Exhausted {
		return hold
	}
	space := analyse.New(f.g, f.r.N, f.section)
	add(DeadlockFreedom, space.Deadlock() != nil)
	for pid := range f.r.N {
		add(fmt.Sprintf("%s of process %d", StarvationFreedom, pid), space.Stays(pid, interp.Entry, nil) != nil)
		add(fmt.Sprintf("%s of process %d", ExitProgress, pid), space.Stays(pid, interp.Exit, nil) != nil)
	}
	return hold
}

// explore explores with the given stores buffered. The buffers grow until none
// is ever full, or enough is known; upTo is how many stores they hold if one was
// full, and 0 otherwise.
func (f *fencing) explore(unfenced func(site int) bool, enough func() bool) (upTo int, err error) {
	for capacity := firstBuffered; ; capacity *= 2 {
		before, model := *f.checking, f.lock.Model
		if err := f.exploreWith(unfenced, capacity); err != nil {
			return 0, err
		}
		switch {
		case !f.g.Exhausted && upTo > 0 && !enough(): // less room must do
			*f.checking, f.lock.Model = before, model
			return upTo, nil
		case !f.full:
			return 0, nil
		case !f.g.Exhausted || enough() || capacity >= mostBuffered:
			return capacity, nil
		}
		upTo = capacity
	}
}

// exploreWith explores with buffers of the given capacity, or less if the
// automata tell that no process can ever have so many stores in its buffer.
// Values that only occur under store buffers are learned on the way.
func (f *fencing) exploreWith(unfenced func(site int) bool, capacity int) error {
	for {
		m, err := f.lock.Learner.Minimise(f.lock.Seen, f.marks)
		if err != nil {
			return err
		}
		if f.lock.Passages > 0 {
			m = m.Limit(f.lock.Passages)
		}
		buffered := func(pid int, s int32) bool {
			site := m.Procs[pid].Local[s].Mark >> siteShift
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
		f.sys, f.lock.Model = explore.NewSC(m), m
		sys := explore.NewTSO(f.sys, most, buffered)
		f.system, f.g = sys, explore.Run(f.ctx, sys, f.opts)
		f.full = sys.Full.Load()
		f.buffers = func(pid int, s int32) bool {
			site := f.site(pid, s)
			return site > 0 && unfenced(site-1)
		}
		if err := f.ctx.Err(); err != nil {
			return err
		}
		if !sys.Missing.Load() {
			return nil
		}
		f.lock.Seen = f.lock.Learner.AllSeen()
	}
}

// marks adds the sites of stores to the marks of doorways.
func (f *fencing) marks(pid int, reached []int32, seen automaton.Seen) map[int32]int {
	marks := f.subject.marks(f.lock.Learner)(pid, reached, seen)
	for _, s := range reached {
		marks[s] |= f.site(pid, s) << siteShift
	}
	return marks
}

// site numbers the lines that store, from 1; it is 0 for what is no store.
func (f *fencing) site(pid int, s int32) int {
	st := f.lock.Learner.Procs[pid].States[s]
	if st.Access == nil || st.Access.Op != interp.Store {
		return 0
	}
	pos, label := f.lock.Learner.M.Place(st)
	file, line := f.lock.Learner.M.Prog.Place(pos)
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
