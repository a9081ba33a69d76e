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
	evTick // time passes (Timely, Ticks)
	evLose
	evDuplicate
	evCrash
	evPartition
	evHeal
	evMove  // a thread that rests goes to another node
	evHang  // a thread that is inside never leaves
	evShift // of timestamps; no step of the system
)

// action is an event with its arguments: a is a node, b a thread, timer or
// receiver, c a place in a channel.
type action struct {
	what    event
	a, b, c uint8
	sends   uint8 // the node that acts crashes after so many sends; 0: it does not
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
	if g.timePasses(s) {
		as = append(as, action{what: evTick})
	}
	if s.cut != 0 {
		if !g.m.Faults.CutsLast {
			as = append(as, action{what: evHeal})
		}
	} else if s.budget[mayPartition] > 0 {
		first := 2 // node 0 is on the other side of every cut
		if g.m.Apart {
			first = 4 // and it stands for none: node 1 is
		}
		for cut := first; cut < 1<<g.n; cut += first {
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
			as = g.broken(s, append(as, action{what: evRelease, a: uint8(i), b: uint8(t)}), i, input{evRelease, int32(t)})
		case s.status[at] == idle && s.left[at] > 0:
			as = g.broken(s, append(as, action{what: evRequest, a: uint8(i), b: uint8(t)}), i, input{evRequest, int32(t)})
		}
		if s.status[at] == inside && s.budget[mayHang] > 0 {
			as = append(as, action{what: evHang, a: uint8(i), b: uint8(t)})
		}
		if s.status[at] == idle && s.budget[mayMove] > 0 {
			as = g.moves(s, i, uint8(t), as)
		}
	}
	for _, t := range s.timers[i] {
		if g.inTime(s, t) || s.budget[mayExpireEarly] > 0 {
			as = g.broken(s, append(as, action{what: evTimer, a: uint8(i), b: t.id}), i, input{evTimer, int32(t.id)})
		}
	}
	if g.elects && (s.budget[maySuspect] > 0 || g.leaderless(s, i)) {
		as = g.broken(s, append(as, action{what: evSuspect, a: uint8(i)}), i, input{evSuspect, 0})
	}
	if g.mayCrash(s, i) {
		as = append(as, action{what: evCrash, a: uint8(i)})
	}
	return as
}

// mayCrash reports whether node i, which is up, can crash.
func (g *graph) mayCrash(s *state, i distributed.ID) bool {
	return s.budget[mayCrash] > 0 && !(g.m.Apart && i == 0)
}

// moves appends the ways in which the resting thread t of node i can move.
func (g *graph) moves(s *state, i distributed.ID, t uint8, as []action) []action {
	for j := range distributed.ID(g.n) {
		if j != i && !s.isDown(j) && g.room(s, j) >= 0 {
			as = append(as, action{what: evMove, a: uint8(i), b: t, c: uint8(j)})
		}
	}
	return as
}

// room returns the first place of node i without a thread, -1 for none.
func (g *graph) room(s *state, i distributed.ID) int {
	for at := int(i) * g.m.Threads; at < int(i+1)*g.m.Threads; at++ {
		if s.status[at] == absent {
			return at
		}
	}
	return -1
}

// inTime reports whether timer t may expire now.
func (g *graph) inTime(s *state, t timer) bool {
	return g.m.Timing == AnyTime || t.ticks == 0 && !s.anyDue()
}

// broken appends the ways in which node i can crash between two sends: after it
// has answered in with some of its messages. The action that as ends with is the
// complete answer.
func (g *graph) broken(s *state, as []action, i distributed.ID, in input) []action {
	if !g.mayCrash(s, i) {
		return as
	}
	a := as[len(as)-1]
	for k := 1; k < len(g.automata[i].step(s.local[i], in, &g.table).messages); k++ {
		a.sends = uint8(k)
		as = append(as, a)
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
		deliver := action{what: evDeliver, a: uint8(i), b: uint8(j), c: uint8(at)}
		as = g.broken(s, append(as, deliver), j, input{evDeliver, msg.message()})
		if s.budget[mayLose] > 0 {
			as = append(as, action{what: evLose, a: uint8(i), b: uint8(j), c: uint8(at)})
		}
		if s.budget[mayDuplicate] > 0 {
			as = append(as, action{what: evDuplicate, a: uint8(i), b: uint8(j), c: uint8(at)})
		}
	}
	return as
}

// timePasses reports whether time may pass. With whole ticks, all due events must
// happen first.
func (g *graph) timePasses(s *state) bool {
	switch g.m.Timing {
	case Timely:
		return !s.underWay() && g.ticking(s)
	case Ticks:
		return !s.anyDue() && g.ticking(s)
	}
	return false
}

// ticking reports whether something waits for time to pass, a message or a
// timer of a node that is up, and no timer is due.
func (g *graph) ticking(s *state) bool {
	some := s.underWay()
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
