package history

import (
	"cmp"
	"fmt"
	"slices"

	"shmbench/distributed/natsnet/resource"
)

// The writes to the resource are evidence: each entry that wrote had read a value
// of the counter, and wrote the next value.

// refusals names a write that the resource refused, or returns "" if there is
// none.
func refusals(inside []Entry) string {
	for _, e := range byToken(inside) {
		if e.Write == Refused {
			return fmt.Sprintf("the resource refused a write of node %d with token %v: it had seen a greater token, so that another permission was given before the node left", e.Node, e.Fence)
		}
	}
	return ""
}

// writes returns the entries whose write was taken, in the order of the values that
// they read.
func writes(inside []Entry) []Entry {
	taken := slices.DeleteFunc(slices.Clone(inside), func(e Entry) bool { return e.Write != Taken })
	slices.SortStableFunc(taken, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(a.Value, b.Value), a.Fence.Compare(b.Fence))
	})
	return taken
}

// lost describes a lost update of the resource, or writes that were not in the
// order of the tokens. It returns "" if there are none.
func lost(inside []Entry, r *resource.State) string {
	w := writes(inside)
	for k := 1; k < len(w); k++ {
		switch a, b := w[k-1], w[k]; {
		case a.Value == b.Value:
			return fmt.Sprintf("nodes %d and %d, with tokens %v and %v, both read %d and wrote %d: an update was lost, %d of %d in all",
				a.Node, b.Node, a.Fence, b.Fence, a.Value, a.Value+1, doubles(w), len(w))
		case a.Fence.Compare(b.Fence) > 0:
			return fmt.Sprintf("node %d read %d with token %v after node %d read %d with token %v: the tokens do not grow",
				b.Node, b.Value, b.Fence, a.Node, a.Value, a.Fence)
		}
	}
	switch {
	case r == nil:
		return ""
	case r.Lost() > 0:
		return fmt.Sprintf("the resource took %d writes and lost %d of them", r.Taken, r.Lost())
	case r.Refused > 0:
		return fmt.Sprintf("the resource refused %d accesses with an old token", r.Refused)
	case len(w) > 0 && r.Value <= w[len(w)-1].Value:
		last := w[len(w)-1]
		return fmt.Sprintf("the resource holds %d, although it took %d from node %d with token %v: it has lost what it took", r.Value, last.Value+1, last.Node, last.Fence)
	}
	return ""
}

// doubles returns how many writes overwrote another one.
func doubles(w []Entry) (n int) {
	for k := 1; k < len(w); k++ {
		if w[k].Value == w[k-1].Value {
			n++
		}
	}
	return n
}

// unexplained says why the writes do not show that the critical sections followed
// one another, and that none is missing. It returns "" if they do. A thread that entered
// and has not left may have written or not. With one clock, the times do the first: then
// there need be no writes, if each process has ended its history.
func (e *Evidence) unexplained(inside []Entry) string {
	w, r := writes(inside), e.Resource
	if wrote := len(w) > 0 || r != nil; wrote || !e.OneClock {
		for _, i := range inside {
			if i.Write == None {
				return fmt.Sprintf("node %d wrote to no resource: nothing shows whether an entry is missing, or whether two were in the critical section (-resource; -one-machine)", i.Node)
			}
		}
		if says := gap(inside, r); says != "" {
			return says
		}
	}
	if r != nil {
		return ""
	}
	for _, i := range byToken(inside) {
		if i.Left == 0 && !e.OneClock {
			return fmt.Sprintf("node %d had not left with token %v when its history ended, and may have overwritten what another one wrote: only the resource shows it (-resource)", i.Node, i.Fence)
		}
	}
	for _, h := range e.Histories {
		if h.Unended > 0 {
			return fmt.Sprintf("the history of node %d has no end: its process was killed or still runs, or the file was cut; only the resource shows whether an entry is missing (-resource)", h.Processes[0].Node)
		}
	}
	return ""
}

// gap names writes that are in no history, or returns "" if there are none.
func gap(inside []Entry, r *resource.State) string {
	w := writes(inside)
	open := slices.DeleteFunc(byToken(inside), func(e Entry) bool { return e.Left != 0 })
	// between returns how many entries that have not left have a token between
	// those of two writes; nil: before the first, or after the last.
	between := func(a, b *Entry) (n int64) {
		for _, e := range open {
			if (a == nil || e.Fence.Compare(a.Fence) > 0) && (b == nil || e.Fence.Compare(b.Fence) < 0) {
				n++
			}
		}
		return n
	}
	var before *Entry
	next := int64(0) // the value that the next write must read
	for k := range w {
		if missing := w[k].Value - next; missing > between(before, &w[k]) {
			return fmt.Sprintf("the writes of the values %d to %d are in no history", next+1, w[k].Value)
		}
		before, next = &w[k], w[k].Value+1
	}
	if r != nil && r.Value-next > between(before, nil) {
		return fmt.Sprintf("the resource holds %d: the writes of the values %d to %d are in no history", r.Value, next+1, r.Value)
	}
	return ""
}
