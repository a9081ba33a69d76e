package explore

import (
	"fmt"
	"slices"

	"shmbench/distributed"
)

// apply takes action a in s. If a safety property breaks, apply returns the
// property and the reason.
func (g *graph) apply(s *state, a *action) (Property, string) {
	property, why := g.act(s, a)
	if property == "" && g.stamps {
		g.shift(s)
	}
	return property, why
}

func (g *graph) act(s *state, a *action) (Property, string) {
	i, j := distributed.ID(a.a), distributed.ID(a.b)
	at := int(i)*g.m.Threads + int(a.b)
	switch a.what {
	case evRequest:
		s.status[at] = waiting
		if g.m.Requests != Forever {
			s.left[at]--
		}
		return g.react(s, i, input{evRequest, int32(a.b)}, a)
	case evRelease:
		s.status[at] = idle
		return g.react(s, i, input{evRelease, int32(a.b)}, a)
	case evTimer:
		if !g.inTime(s, s.timer(i, a.b)) {
			s.budget[mayExpireEarly]--
		}
		s.setTimer(i, timer{id: a.b}, true)
		return g.react(s, i, input{evTimer, int32(a.b)}, a)
	case evSuspect:
		if !g.leaderless(s, i) {
			s.budget[maySuspect]--
		}
		return g.react(s, i, input{evSuspect, 0}, a)
	case evRecover:
		s.budget[mayRecover]--
		s.down &^= 1 << i
		for t := range g.m.Threads {
			if at := int(i)*g.m.Threads + t; s.status[at] == gone {
				s.status[at] = idle
			}
		}
		return g.react(s, i, input{evRecover, 0}, a)
	case evDeliver:
		c := &s.chans[int(i)*g.n+int(j)]
		msg := (*c)[a.c].message()
		*c = slices.Delete(*c, int(a.c), int(a.c)+1)
		return g.react(s, j, input{evDeliver, msg}, a)
	case evDuplicate:
		s.budget[mayDuplicate]--
		return g.react(s, j, input{evDeliver, s.chans[int(i)*g.n+int(j)][a.c].message()}, a)
	case evLose:
		s.budget[mayLose]--
		c := &s.chans[int(i)*g.n+int(j)]
		*c = slices.Delete(*c, int(a.c), int(a.c)+1)
	case evTick:
		g.tick(s)
	case evCrash:
		g.crash(s, i)
	case evPartition:
		g.partition(s, a.a)
	case evHeal:
		s.cut = 0
	case evHang:
		s.budget[mayHang]--
		s.status[at] = hung
	case evMove:
		s.budget[mayMove]--
		to := g.room(s, distributed.ID(a.c))
		s.status[to], s.left[to] = idle, s.left[at]
		s.status[at], s.left[at] = absent, 0
	}
	return "", ""
}

func (g *graph) crash(s *state, i distributed.ID) {
	s.budget[mayCrash]--
	s.down |= 1 << i
	s.timers[i] = s.timers[i][:0]
	for t := range g.m.Threads {
		at := int(i)*g.m.Threads + t
		if s.status[at] == waiting || isIn(s.status[at]) || s.status[at] == idle && !g.recovers {
			s.status[at] = gone
		}
	}
	for k := range g.n {
		s.chans[k*g.n+int(i)] = s.chans[k*g.n+int(i)][:0]
	}
}

func (g *graph) partition(s *state, cut uint8) {
	s.budget[mayPartition]--
	s.cut = cut
	for k := range s.chans {
		if g.parted(s, distributed.ID(k/g.n), distributed.ID(k%g.n)) {
			s.chans[k] = s.chans[k][:0]
		}
	}
}

// tick lets time pass until a timer is due, or by one tick. After one tick all
// messages under way are due.
func (g *graph) tick(s *state) {
	passed := uint8(1)
	if g.m.Timing == Timely {
		passed = 255
		for _, ts := range s.timers {
			for _, t := range ts {
				passed = min(passed, t.ticks)
			}
		}
	}
	for _, ts := range s.timers {
		for k := range ts {
			ts[k].ticks -= min(passed, ts[k].ticks)
		}
	}
	for _, c := range s.chans {
		for k := range c {
			c[k] |= due
		}
	}
}

// react lets node i handle an input and carries out its answer. If the node
// crashes meanwhile, react carries out only its first sends.
func (g *graph) react(s *state, i distributed.ID, in input, a *action) (Property, string) {
	st := g.automata[i].step(s.local[i], in, &g.table)
	if st.panicked != "" {
		return Protocol, fmt.Sprintf("node %d panics: %s", i, st.panicked)
	}
	s.local[i] = st.next
	if a.sends > 0 {
		for _, m := range st.messages[:a.sends] {
			g.send(s, m)
		}
		g.crash(s, i)
		return "", ""
	}
	for _, t := range st.timers {
		if t.ID < 0 || t.ID >= maxTimers {
			return Protocol, fmt.Sprintf("node %d sets timer %d: the explorer takes 0..%d", i, t.ID, maxTimers-1)
		}
		left := uint8(0)
		if g.m.Timing != AnyTime {
			left = uint8(min(t.After, 255))
		}
		s.setTimer(i, timer{uint8(t.ID), left}, t.After == 0)
	}
	for _, m := range st.messages {
		g.send(s, m)
	}
	for _, t := range st.revoked {
		if property, why := g.putOut(s, Place{i, t}); property != "" {
			return property, why
		}
	}
	for _, t := range st.grants {
		if property, why := g.enter(s, Place{i, t}); property != "" {
			return property, why
		}
		a.entries++
	}
	return g.claim(s, i)
}

// send puts message number m under way, unless it is lost at once.
func (g *graph) send(s *state, m int32) {
	from, to := g.table.messages[m].From, g.table.messages[m].To
	if s.isDown(to) || g.parted(s, from, to) {
		return
	}
	c := &s.chans[int(from)*g.n+int(to)]
	*c = append(*c, entryOf(m))
	if !g.m.FIFO {
		slices.Sort(*c)
	}
}

// conflict reports whether p and q must not be in their critical sections
// together.
func (g *graph) conflict(s *state, p, q Place) bool {
	locks := func(p Place) []uint16 {
		h, several := g.automata[p.Node].locals[s.local[p.Node]].(distributed.Holder)
		if !several {
			return nil
		}
		return h.Holds(p.Thread)
	}
	mine, theirs := locks(p), locks(q)
	return mine == nil || slices.ContainsFunc(mine, func(k uint16) bool { return slices.Contains(theirs, k) })
}

// putOut makes p leave, unless it hangs.
func (g *graph) putOut(s *state, p Place) (Property, string) {
	at := int(p.Node)*g.m.Threads + int(p.Thread)
	if p.Thread < 0 || int(p.Thread) >= g.m.Threads || !isIn(s.status[at]) {
		return Protocol, fmt.Sprintf("the permission of %v is taken back, which has none", p)
	}
	if s.status[at] == inside {
		s.status[at] = idle
	}
	return "", ""
}

// isIn reports whether a thread of that status is in its critical section.
func isIn(status uint8) bool { return status == inside || status == hung }

// enter lets p enter its critical section and checks that it may.
func (g *graph) enter(s *state, p Place) (Property, string) {
	at := int(p.Node)*g.m.Threads + int(p.Thread)
	if p.Thread < 0 || int(p.Thread) >= g.m.Threads || s.status[at] != waiting {
		return Protocol, fmt.Sprintf("%v is granted without having asked", p)
	}
	s.status[at] = inside
	for k, st := range s.status {
		q := Place{distributed.ID(k / g.m.Threads), distributed.Thread(k % g.m.Threads)}
		if isIn(st) && q != p && g.conflict(s, p, q) {
			why := fmt.Sprintf("%v enters while %v is in its critical section", p, q)
			if !g.m.GoOn {
				return MutualExclusion, why
			}
			g.twoInside = why
		}
	}
	return "", ""
}
