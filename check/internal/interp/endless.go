package interp

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// turns watches the loops of a run that has no access to shared memory: where
// it comes back to a state in which it was, it goes on so forever (Brent's
// algorithm: one state is kept, a newer one after twice as many turns).
type turns struct {
	count, next int
	at          token.Pos // where the loop is
	kept        *State
	writes      int // when it was kept
	tidy        int // objects of the process's own above which they are looked through
}

// firstTurn is the turn at which a loop begins to be watched.
const firstTurn = 32

// turn notes that a loop has come to its beginning.
func (r *run) turn() {
	t := &r.turns
	t.count++
	if t.count < firstTurn {
		return
	}
	if len(r.st.heap) > max(t.tidy, 1<<10) {
		// Unreachable variables are dropped, and the others are numbered in the order in
		// which they are reached. Otherwise no state after an allocation would come back.
		tidied := r.canonical(0)
		r.st.frames, r.st.heap, r.st.aliases = tidied.frames, tidied.heap, tidied.aliases
		t.tidy, r.allocated = 2*len(r.st.heap), 0
		for _, o := range r.st.heap {
			r.allocated += len(o.cells)
		}
		if t.kept == nil || len(t.kept.heap) != len(r.st.heap) {
			t.next = t.count
		}
	}
	if t.kept != nil && r.back() {
		r.hang("runs without end and without an access to shared memory")
	}
	if t.count >= t.next {
		t.next = 2 * t.count
		t.kept, t.writes = r.st.clone(), r.writes
	}
}

// back reports whether the run is where it was when its state was kept.
func (r *run) back() bool {
	then := r.turns.kept
	if len(then.frames) != len(r.st.frames) || len(then.heap) != len(r.st.heap) ||
		r.pid < 0 && r.turns.writes != r.writes {
		return false
	}
	for i := len(then.frames) - 1; i >= 0; i-- {
		a, b := then.frames[i], r.st.frames[i]
		if a.f != b.f || a.block != b.block || a.pc != b.pc ||
			!slices.EqualFunc(a.deferred, b.deferred, func(x, y deferred) bool { return x.call == y.call && same(Agg(x.values), Agg(y.values)) }) {
			return false
		}
		for _, s := range r.st.live(i, true) {
			if !same(a.env[s], b.env[s]) {
				return false
			}
		}
	}
	return same(Agg(then.priv), Agg(r.st.priv)) && slices.Equal(then.aliases, r.st.aliases) &&
		slices.EqualFunc(then.heap, r.st.heap, func(a, b object) bool { return same(Agg(a.cells), Agg(b.cells)) })
}

// calls watches calls within calls in the same way: a function that is called
// with the arguments of a call that it is part of, and nothing written between,
// calls itself forever.
type calls struct {
	depth, writes int
	fn            *ssa.Function
	args          []Value
}

// nest notes a call.
func (r *run) nest(fn *ssa.Function, args []Value) {
	c, depth := &r.calls, len(r.st.frames)
	switch {
	case depth < firstTurn:
		return
	case depth > maxDepth:
		r.fault(Fault{Refused: true, Open: true}, "%d calls within calls, and no end in sight", []any{maxDepth})
	case depth <= c.depth:
		*c = calls{} // that call has returned
	case c.fn == fn && c.writes == r.writes && slices.EqualFunc(c.args, args, same):
		r.hang("calls itself without end")
	}
	if c.fn == nil || depth >= 2*c.depth {
		*c = calls{depth, r.writes, fn, slices.Clone(args)}
	}
}
