package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"shmbench/check/internal/automaton"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/explored"
	"shmbench/check/internal/interp"
	"shmbench/check/internal/model"
	"shmbench/check/internal/source"
	"shmbench/check/internal/verdict"
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
	// Needed: if only this store loses its fence, Loses is no longer true of the
	// lock. UpTo is the largest number of stores that a buffer could hold, if
	// the fence is not needed and that bound was reached. Otherwise UpTo is 0.
	Needed bool   `json:"needed"`
	Loses  string `json:"loses,omitempty"`
	UpTo   int    `json:"up_to,omitempty"`
}

// siteShift is where the site of a store begins in a local state's mark, above
// those of the doorway.
const (
	siteShift = 3
	siteMask  = 1<<29 - 1
)

// decideUnfenced explores a lock under total store order, first with a fence
// behind every store that has one and then with none, and decides what it does
// without.
func decideUnfenced(ctx context.Context, l *source.Lock, learned *model.Lock, opts explore.Options) (*verdicts, error) {
	f := &fencing{search: explored.NewStoreOrder(ctx, l, opts, true)}
	fenced, err := f.search.ExploreWith(learned.WithAllSeen(), f.without(func(int) bool { return false }), explored.FirstBuffered)
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return nil, err
	}
	f.fenced = properties(fenced)
	all, err := f.search.Explore(fenced.Learned, f.without(func(int) bool { return true }), explored.ExclusionViolated)
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return nil, err
	}
	x := all.Complete()
	d, err := decide(ctx, x, costStates)
	if err == nil && x.Exhausted() {
		d.fences, err = f.fences(x.Learned)
	}
	return d, err
}

// fencing is the search for stores that can do without a fence.
type fencing struct {
	search *explored.StoreOrder
	sites  []StoreSite // that have been met so far
	fenced []string    // the properties that hold with all fences
}

// without are the stores at the sites that unfenced holds for, and those that
// have no fence as they are written.
func (f *fencing) without(unfenced func(site int) bool) *explored.Stores {
	buffered := func(site int) bool { return site > 0 && unfenced(site-1) }
	return &explored.Stores{
		Marks: f.marks,
		Local: func(l *automaton.Local) bool {
			return l.Kind&automaton.Released != 0 || buffered(int(l.Mark>>siteShift&siteMask))
		},
		Learned: func(l *automaton.Learner, pid int, s int32) bool {
			return l.Procs[pid].Kind(s)&automaton.Released != 0 || buffered(f.site(l, pid, s))
		},
	}
}

// errTooMany says that the states are too many without some fence.
var errTooMany = errors.New("too many states")

// fences tries each store without its fence, and then as many as can be. It
// returns nil if the states are too many for that.
func (f *fencing) fences(learned *model.Lock) (*Fences, error) {
	out := &Fences{Removable: []int{}}
	for i := 0; i < len(f.sites); i++ { // more may be met on the way
		lost, upTo, err := f.loses(learned, func(k int) bool { return k == i })
		if err != nil {
			return nil, unlessTooMany(err)
		}
		f.sites[i].Needed, f.sites[i].Loses, f.sites[i].UpTo = lost != "", lost, upTo
	}
	for i := range f.sites {
		lost, upTo, err := f.loses(learned, func(k int) bool { return k == i || slices.Contains(out.Removable, k) })
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
func (f *fencing) loses(learned *model.Lock, unfenced func(site int) bool) (lost string, upTo int, err error) {
	x, err := f.search.Explore(learned, f.without(unfenced), func(x *explored.Lock) bool { return f.lost(x) != "" })
	if err = cmp.Or(err, f.search.Ctx.Err()); err != nil {
		return "", 0, err
	}
	if lost = f.lost(x); lost == "" && !x.Graph.Exhausted {
		return "", 0, errTooMany
	}
	return lost, x.Memory.Terms().BufferedStores, nil
}

// lost returns the first property that holds with all fences, and was found
// not to hold in what was explored.
func (f *fencing) lost(x *explored.Lock) string {
	if !x.Graph.Exhausted {
		if explored.ExclusionViolated(x) && slices.Contains(f.fenced, verdict.MutualExclusion) {
			return verdict.MutualExclusion
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
func properties(x *explored.Lock) []string {
	var holding []string
	add := func(property string, violated bool) {
		if !violated {
			holding = append(holding, property)
		}
	}
	add(verdict.MutualExclusion, explored.ExclusionViolated(x))
	_, panics := x.Graph.Bad[explore.Panic]
	add(verdict.PanicFreedom, panics)
	if panics || !x.Graph.Exhausted {
		return holding
	}
	space := x.SpaceOf(x.Graph)
	add(verdict.DeadlockFreedom, space.Deadlock() != nil)
	for pid := range x.N {
		add(fmt.Sprintf("%s of process %d", verdict.StarvationFreedom, pid), space.Stays(pid, interp.Entry) != nil)
		add(fmt.Sprintf("%s of process %d", verdict.ExitProgress, pid), space.Stays(pid, interp.Exit) != nil)
	}
	return holding
}

// marks adds the sites of stores to the marks of doorways.
func (f *fencing) marks(l *automaton.Learner) automaton.Marks {
	doorways := f.search.Lock.Marks(l)
	return func(pid int, reached []int32, seen automaton.Seen) map[int32]int64 {
		marks := doorways(pid, reached, seen)
		for _, s := range reached {
			marks[s] |= int64(f.site(l, pid, s)) << siteShift
		}
		return marks
	}
}

// site numbers the lines that store, from 1; it is 0 for a line without a store.
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
