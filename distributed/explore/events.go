package explore

import "shmbench/distributed"

// event is a kind of step of the whole system.
type event uint8

const (
	evStart event = iota
	evRequest
	evRelease
	evDeliver
	evTimer
	evRecover
	evSuspect
	evTick // time passes until the next timer expires (Timely)
	evLose
	evDuplicate
	evCrash
	evPartition
	evHeal
	evShift // of timestamps; no step of the system
)

// action is an event with its arguments: a is a node, b a thread, timer or
// receiver, c a place in a channel.
type action struct {
	what    event
	a, b, c uint8
	entries uint8 // how many threads it lets in; set when taken
}

// enabled appends the actions possible in s.
func (g *graph) enabled(s *state, as []action) []action {
	for i := range distributed.ID(g.n) {
		if s.isDown(i) {
			if s.budget[mayRecover] > 0 && g.recovers {
				as = append(as, action{what: evRecover, a: uint8(i)})
			}
			continue
		}
		as = g.enabledAt(s, i, as)
	}
	for i := range distributed.ID(g.n) {
		for j := range distributed.ID(g.n) {
			as = g.enabledOn(s, i, j, as)
		}
	}
	if g.m.Timely && !s.underWay() && g.ticking(s) {
		as = append(as, action{what: evTick})
	}
	if s.cut != 0 {
		as = append(as, action{what: evHeal})
	} else if s.budget[mayPartition] > 0 {
		for cut := 2; cut < 1<<g.n; cut += 2 {
			as = append(as, action{what: evPartition, a: uint8(cut)})
		}
	}
	return as
}

// enabledAt appends the actions of node i, which is up.
func (g *graph) enabledAt(s *state, i distributed.ID, as []action) []action {
	for t := range g.m.Threads {
		at := int(i)*g.m.Threads + t
		switch {
		case s.status[at] == inside:
			as = append(as, action{what: evRelease, a: uint8(i), b: uint8(t)})
		case s.status[at] == idle && s.left[at] > 0:
			as = append(as, action{what: evRequest, a: uint8(i), b: uint8(t)})
		}
	}
	for _, t := range s.timers[i] {
		if !g.m.Timely || t.ticks == 0 {
			as = append(as, action{what: evTimer, a: uint8(i), b: t.id})
		}
	}
	if g.elects && (s.budget[maySuspect] > 0 || g.leaderless(s, i)) {
		as = append(as, action{what: evSuspect, a: uint8(i)})
	}
	if s.budget[mayCrash] > 0 {
		as = append(as, action{what: evCrash, a: uint8(i)})
	}
	return as
}

// enabledOn appends the actions on the messages under way from i to j.
func (g *graph) enabledOn(s *state, i, j distributed.ID, as []action) []action {
	c := s.chans[int(i)*g.n+int(j)]
	for at, msg := range c {
		if at > 0 && (g.m.FIFO || msg == c[at-1]) {
			continue
		}
		as = append(as, action{what: evDeliver, a: uint8(i), b: uint8(j), c: uint8(at)})
		if s.budget[mayLose] > 0 {
			as = append(as, action{what: evLose, a: uint8(i), b: uint8(j), c: uint8(at)})
		}
		if s.budget[mayDuplicate] > 0 {
			as = append(as, action{what: evDuplicate, a: uint8(i), b: uint8(j), c: uint8(at)})
		}
	}
	return as
}

// ticking reports whether a timer of a node that is up waits for time to pass
// and none is due.
func (g *graph) ticking(s *state) bool {
	some := false
	for i, ts := range s.timers {
		if s.isDown(distributed.ID(i)) {
			continue
		}
		for _, t := range ts {
			if t.ticks == 0 {
				return false
			}
			some = true
		}
	}
	return some
}
