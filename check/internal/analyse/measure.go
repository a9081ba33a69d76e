package analyse

import (
	"math"
	"math/bits"
	"slices"

	"shmbench/check/graph"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
	"shmbench/shm"
)

// A Measure is a cost of executions: of their steps from a start on, for as long as they stay in
// some states. The steps that enter and that leave these states count. In each of these states,
// process Busy is not in its remainder section.
type Measure struct {
	Busy   int
	In     func(id uint32) bool
	Starts func(from uint32, actor int, to uint32) bool
	Weigh  func(from uint32, actor int, to uint32) int
}

// Attained is an execution that costs as much as any does by a measure.
type Attained struct {
	Cost int // Unbounded if the steps of Cycle cost something each time around
	// Prefix are the actors that step until then, and Cycle those that step forever, if the
	// cost has no bound.
	Prefix, Cycle []int
	// Counted are the indexes of the steps that cost something, in Prefix with Cycle behind it.
	Counted []int
}

// endless stands for a cost without bound.
const endless = math.MaxInt32 / 2

// bound returns a cost, or Unbounded.
func bound(k int32) int {
	if k == endless {
		return shm.Unbounded
	}
	return int(k)
}

// heaviest is what executions cost from each state of a measure on.
type heaviest struct {
	*Space
	Measure
	ahead   []int32
	sources []bool // in states of a component in which a step costs something
}

// Most returns the greatest cost by a measure: 0 if nothing starts, shm.Unbounded if there is no
// bound.
func (s *Space) Most(m Measure) int {
	most, _, _, _ := s.weigh(m).start()
	return most
}

// Attain returns an execution that costs most, or false if nothing starts that costs something.
func (s *Space) Attain(m Measure) (Attained, bool) {
	h := s.weigh(m)
	most, from, actor, to := h.start()
	if most == 0 {
		return Attained{}, false
	}
	a := Attained{Cost: most, Prefix: append(s.G.Path(from), actor)}
	at := to
	if cost := m.Weigh(from, actor, to); cost > 0 {
		a.Counted = append(a.Counted, len(a.Prefix)-1)
	}
	if most == shm.Unbounded {
		h.around(&a, at)
		return a, true
	}
	for m.In(at) && h.ahead[at] > 0 {
		var leg []int
		leg, at = h.leg(at)
		a.Prefix = append(a.Prefix, leg...)
		a.Counted = append(a.Counted, len(a.Prefix)-1)
	}
	return a, true
}

// weigh finds what executions cost from each state on.
func (s *Space) weigh(m Measure) *heaviest {
	h := &heaviest{Space: s, Measure: m, ahead: make([]int32, s.G.States), sources: make([]bool, s.G.States)}
	// A component of these states is part of one of those of the order.
	s.walk(1<<m.Busy, func(_ int, id uint32, _ procset) {
		if m.In(id) {
			h.component([]uint32{id}, func(to uint32) bool { return to == id })
		}
	}, func(_, _ int, _ component, states []uint32) {
		in := slices.DeleteFunc(states, func(id uint32) bool { return !m.In(id) })
		if len(in) == len(states) { // the component itself
			h.component(in, Members(in))
			return
		}
		s.components(in, Part{}, h.component)
	})
	return h
}

// component finds what executions cost from the states of a strongly connected component on.
func (h *heaviest) component(comp []uint32, member func(uint32) bool) {
	most, inside := int32(0), false
	for _, id := range comp {
		for a, to := range h.G.Successors(id) {
			switch {
			case to == explore.None:
			case to == id || member(to):
				if h.Weigh(id, a, to) > 0 {
					most, inside, h.sources[id] = endless, true, true
				}
			case !inside:
				most = max(most, h.step(id, a, to))
			}
		}
	}
	for _, id := range comp {
		h.ahead[id] = most
	}
}

// step is what a step costs, and what comes behind it.
func (h *heaviest) step(from uint32, actor int, to uint32) int32 {
	cost := int32(h.Weigh(from, actor, to))
	if h.In(to) {
		cost = min(cost+h.ahead[to], endless)
	}
	return cost
}

// start returns the greatest cost, and the first step of an execution that has it.
func (h *heaviest) start() (most int, from uint32, actor int, to uint32) {
	best := int32(0)
	for id := range uint32(h.G.States) {
		for a, next := range h.G.Successors(id) {
			if next == explore.None || !h.Starts(id, a, next) {
				continue
			}
			if cost := h.step(id, a, next); cost > best {
				best, from, actor, to = cost, id, a, next
			}
		}
	}
	return bound(best), from, actor, to
}

// within are the states of the measure, as a graph with some steps only.
func (h *heaviest) within(keep func(from uint32, actor int, to uint32) bool) graph.Graph {
	return Part{Anywhere, keep}.Of(h.G)
}

// leg returns a shortest way from a state on up to the next step that costs something, behind which
// nothing is lost.
func (h *heaviest) leg(from uint32) (actors []int, to uint32) {
	left := h.ahead[from]
	ends := func(from uint32, actor int, to uint32) bool {
		return h.Weigh(from, actor, to) > 0 && h.step(from, actor, to) == left
	}
	return h.within(func(from uint32, actor int, to uint32) bool {
		return ends(from, actor, to) || h.In(to) && h.Weigh(from, actor, to) == 0 && h.ahead[to] == left
	}).Walk(from, ends)
}

// around completes an execution whose cost has no bound: a way to a step that costs something
// again and again, and a way around to it.
func (h *heaviest) around(a *Attained, at uint32) {
	inside := h.within(func(_ uint32, _ int, to uint32) bool { return h.In(to) })
	way, source := inside.Path(at, func(id uint32) bool { return h.sources[id] })
	for _, actor := range way {
		to := h.G.Next(at, actor)
		if h.Weigh(at, actor, to) > 0 {
			a.Counted = append(a.Counted, len(a.Prefix))
		}
		a.Prefix, at = append(a.Prefix, actor), to
	}
	for actor, to := range h.G.Successors(source) {
		if to == explore.None || !h.In(to) || h.Weigh(source, actor, to) == 0 {
			continue
		}
		back, end := []int(nil), source
		if to != source {
			back, end = inside.Walk(to, func(_ uint32, _ int, to uint32) bool { return to == source })
		}
		if back == nil && to != source || end != source {
			continue
		}
		a.Cycle = append([]int{actor}, back...)
		break
	}
	for i, actor := range a.Cycle {
		to := h.G.Next(at, actor)
		if h.Weigh(at, actor, to) > 0 {
			a.Counted = append(a.Counted, len(a.Prefix)+i)
		}
		at = to
	}
}

// Remote returns the measure of the remote steps of a process in a passage of point contention
// contention at most: so many processes are in passages at any time. The number of processes
// is no restriction.
func (s *Space) Remote(pid, contention int, remote func(from uint32, pid int) bool) Measure {
	return Measure{
		Busy: pid,
		In: func(id uint32) bool {
			busy := s.busy(id)
			return busy.has(pid) && (contention == s.N || busy.size() <= contention)
		},
		Starts: s.begins(pid),
		Weigh:  s.own(pid, remote),
	}
}

// Exit returns the measure of such steps of a process in its exit section. The process makes the
// first of them in its critical section, and may make no other.
func (s *Space) Exit(pid int, such func(from uint32, pid int) bool) Measure {
	return s.within(pid, func(id uint32) bool {
		section := s.Section(id, pid)
		return section == interp.Critical || section == interp.Exit
	}, such)
}

// Aborted returns the measure of such steps of a process in an attempt that it gives up. It
// counts from the moment when the process has been told to give up.
func (s *Space) Aborted(pid int, such func(from uint32, pid int) bool) Measure {
	return s.within(pid, func(id uint32) bool {
		return s.Section(id, pid) == interp.Entry && s.passage(id, pid).GaveUp
	}, such)
}

// within returns the measure of such steps that a process makes from some states.
func (s *Space) within(pid int, in func(id uint32) bool, such func(from uint32, pid int) bool) Measure {
	own := s.own(pid, such)
	return Measure{Busy: pid, In: in, Starts: func(from uint32, actor int, to uint32) bool {
		return s.party(actor) == pid && !in(from) && in(to)
	}, Weigh: func(from uint32, actor int, to uint32) int {
		if !in(from) {
			return 0
		}
		return own(from, actor, to)
	}}
}

// Passed returns the measure of the critical sections of others that begin while a process is
// past its doorway. The function past tells this by local state of the entry section.
func (s *Space) Passed(pid int, past []bool) Measure {
	in := func(id uint32) bool { return s.Section(id, pid) == interp.Entry && past[s.local(id, pid)] }
	return Measure{Busy: pid, In: in, Starts: func(from uint32, actor int, to uint32) bool {
		return s.party(actor) == pid && in(to) && !in(from)
	}, Weigh: func(from uint32, actor int, to uint32) int {
		return Count(in(from) && s.party(actor) != pid && s.enters(from, actor, to))
	}}
}

// own tells what a step of a process costs: one if it is such a step.
func (s *Space) own(pid int, such func(from uint32, pid int) bool) func(from uint32, actor int, to uint32) int {
	return func(from uint32, actor int, _ uint32) int { return Count(s.party(actor) == pid && such(from, pid)) }
}

// begins tells which steps begin a passage of a process.
func (s *Space) begins(pid int) func(from uint32, actor int, to uint32) bool {
	return func(from uint32, actor int, _ uint32) bool {
		return s.party(actor) == pid && s.Section(from, pid) == interp.Remainder
	}
}

// size returns how many processes a set has.
func (p procset) size() int { return bits.OnesCount16(uint16(p)) }

// Count is 1 if b holds, and 0 otherwise.
func Count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Amortized returns the worst mean of the costs of all processes for each passage that ends, over
// infinite executions, as a fraction; its denominator is 0 if there is no bound. The execution goes
// around the cycle forever.
func (s *Space) Amortized(remote func(from uint32, pid int) bool) (num, den int, a Attained) {
	weigh := func(from uint32, actor int, to uint32) (cost, passages int) {
		pid := s.party(actor)
		if pid >= s.N {
			return 0, 0
		}
		return Count(remote(from, pid)), Count(s.Section(from, pid) != interp.Remainder && s.Section(to, pid) == interp.Remainder)
	}
	num, den, from, cycle := Part{In: Anywhere}.Of(s.G).MaxRatio(weigh)
	a = Attained{Prefix: s.G.Path(from), Cycle: cycle}
	for i, actor := range cycle {
		to := s.G.Next(from, actor)
		if cost, _ := weigh(from, actor, to); cost > 0 {
			a.Counted = append(a.Counted, len(a.Prefix)+i)
		}
		from = to
	}
	return num, den, a
}
