package analyse

import (
	"math"
	"slices"

	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
)

// Unbounded is the bypass of a process that can be passed for ever.
const Unbounded = -1

// Bypass is who can pass a process.
type Bypass struct {
	// FromStart and PastDoorway are the most critical sections of others that can
	// begin while the process is in its entry section, and past its doorway:
	// Unbounded if there is no bound.
	FromStart, PastDoorway int
	// Cycle is one on which the process, past its doorway, is passed, or nil.
	Cycle *Lasso
	// Overtaken: another process that has not begun when this one is past its
	// doorway can enter before it.
	Overtaken bool
}

// passed is, for a state of an entry section, the most critical sections of
// others that can begin before the process leaves it, in all and past its
// doorway, and who can enter while it is past it.
type passed[T uint16 | uint32] struct {
	start, past T
	who         uint16
}

// Bypass finds out who can pass process pid. past tells whether the process, in
// its entry section, is past its doorway; once it is, it stays so until it
// enters. It may be called by several workers at once.
func (s *Space) Bypass(pid int, past func(id uint32) bool) Bypass {
	if b, fits := bypass[uint16](s, pid, past); fits {
		return b
	}
	b, _ := bypass[uint32](s, pid, past)
	return b
}

// bypass is Bypass with numbers of a given width; it reports whether they fit.
func bypass[T uint16 | uint32](s *Space, pid int, past func(id uint32) bool) (b Bypass, fits bool) {
	values := make([]passed[T], s.G.States)
	most := make([]passed[T], s.workers)
	overtaken := make([]bool, s.workers)
	limit := ^T(0)
	// around adds what is possible from a state, but by steps inside its
	// component.
	around := func(v *passed[T], id uint32, member func(uint32) bool, waits bool) (passes bool) {
		for a, to := range s.G.Successors(id) {
			if to == explore.None {
				continue
			}
			weight := T(0)
			if a != pid && s.enters(id, a, to) {
				weight = 1
			}
			if waits && weight > 0 {
				v.who |= 1 << a
			}
			if member(to) {
				passes = passes || weight > 0
				continue
			}
			next := &values[to]
			v.start = max(v.start, add(next.start, weight, limit))
			if waits {
				v.past = max(v.past, add(next.past, weight, limit))
				v.who |= next.who
			}
		}
		return passes
	}
	note := func(worker int, v passed[T], id uint32, waits bool) {
		values[id] = v
		most[worker].start, most[worker].past = max(most[worker].start, v.start), max(most[worker].past, v.past)
		if !waits || overtaken[worker] {
			return
		}
		for j := range s.N {
			overtaken[worker] = overtaken[worker] || v.who>>j&1 != 0 && s.Section(id, j) == interp.Remainder
		}
	}
	unbounded := false
	s.walk(pid, func(worker int, id uint32) {
		if s.Section(id, pid) != interp.Entry {
			return
		}
		var v passed[T]
		waits := past(id)
		around(&v, id, func(to uint32) bool { return to == id }, waits)
		note(worker, v, id, waits)
	}, func(c component, states []uint32) {
		if c.section != interp.Entry {
			return
		}
		var v passed[T]
		waits := past(states[0])
		member := members(states)
		passes := false
		for _, id := range states {
			passes = around(&v, id, member, waits) || passes
		}
		unbounded = unbounded || passes
		if passes && waits {
			b.Cycle = nearer(b.Cycle, &Lasso{states: states, least: c.least})
		}
		for _, id := range states {
			note(0, v, id, waits)
		}
	})
	for w := range most {
		b.FromStart, b.PastDoorway = max(b.FromStart, int(most[w].start)), max(b.PastDoorway, int(most[w].past))
		b.Overtaken = b.Overtaken || overtaken[w]
	}
	fits = b.FromStart < int(limit) && b.PastDoorway < int(limit)
	if unbounded {
		b.FromStart = Unbounded
	}
	if b.Cycle != nil {
		b.PastDoorway = Unbounded
		b.Cycle.sub = subgraph{in: func(id uint32) bool { return s.Section(id, pid) == interp.Entry && past(id) }}
	}
	return b, fits
}

// add adds, up to a limit.
func add[T uint16 | uint32](a, b, limit T) T {
	if a > limit-b {
		return limit
	}
	return a + b
}

// endless stands for a cost without bound.
const endless = math.MaxInt32 / 2

// Passage returns the most that the steps of one passage of process pid can
// cost together, where cost gives the cost of a step of pid from a state, and the
// most that its first passage can; Unbounded if there is no bound. cost may be
// called by several workers at once.
func (s *Space) Passage(pid int, cost func(from uint32) int32) (most, first int) {
	ahead := make([]int32, s.G.States)
	around := func(worst int32, id uint32, member func(uint32) bool) int32 {
		for a, to := range s.G.Successors(id) {
			if to == explore.None {
				continue
			}
			w := int32(0)
			if a == pid {
				w = cost(id)
			}
			switch {
			case !member(to):
				worst = max(worst, min(w+ahead[to], endless))
			case w > 0:
				worst = endless
			}
		}
		return worst
	}
	s.walk(pid, func(_ int, id uint32) {
		ahead[id] = around(0, id, func(to uint32) bool { return to == id })
	}, func(_ component, states []uint32) {
		worst, member := int32(0), members(states)
		for _, id := range states {
			worst = around(worst, id, member)
		}
		for _, id := range states {
			ahead[id] = worst
		}
	})
	untouched := s.without(pid)
	worst := make([]struct{ all, first int32 }, s.workers)
	s.descend(func(worker int, lo, hi, _ uint32) {
		w := &worst[worker]
		for id := lo; id < hi; id++ {
			if to := s.G.Next(id, pid); to != explore.None && s.Section(id, pid) == interp.Remainder {
				c := min(cost(id)+ahead[to], endless)
				if w.all = max(w.all, c); untouched.has(id) {
					w.first = max(w.first, c)
				}
			}
		}
	})
	for _, w := range worst {
		most, first = max(most, int(w.all)), max(first, int(w.first))
	}
	bound := func(k int) int {
		if k == endless {
			return Unbounded
		}
		return k
	}
	return bound(most), bound(first)
}

// without returns the states that can be reached without a step of a process.
func (s *Space) without(pid int) set {
	met := newSet(s.G.States)
	met.add(0)
	queue := []uint32{0}
	for len(queue) > 0 {
		id := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for a, to := range s.G.Successors(id) {
			if a != pid && to != explore.None && !met.has(to) {
				met.add(to)
				queue = append(queue, to)
			}
		}
	}
	return met
}

// Overtaking is an execution that is not first-come-first-served: from From,
// where process First is past its doorway and Second has not begun, to To,
// where Second is in and First is not.
type Overtaking struct {
	First, Second int
	From, To      uint32
	// Path is the actors that step on the way.
	Path []int
}

// Overtaking returns a shortest overtaking, or nil if there is none. past tells
// whether a process, in its entry section in a state, is past its doorway.
func (s *Space) Overtaking(past func(id uint32, pid int) bool) *Overtaking {
	var best *Overtaking
	for i := range s.N {
		for j := range s.N {
			if i == j {
				continue
			}
			if o := s.overtakes(past, i, j); o != nil && (best == nil || o.From < best.From) {
				best = o
			}
		}
	}
	return best
}

// overtakes searches, from all states at once in which i is past its doorway
// and j has not begun, for one in which j enters before i does.
func (s *Space) overtakes(past func(id uint32, pid int) bool, i, j int) *Overtaking {
	waits := func(id uint32) bool { return s.Section(id, i) == interp.Entry && past(id, i) }
	from := make([]uint32, s.G.States) // the state before, +1
	by := make([]uint8, s.G.States)
	var queue []uint32
	for id := range uint32(s.G.States) {
		if s.Section(id, j) == interp.Remainder && waits(id) {
			from[id] = id + 1
			queue = append(queue, id)
		}
	}
	for k := 0; k < len(queue); k++ {
		id := queue[k]
		for a, to := range s.G.Successors(id) {
			if to == explore.None || !waits(to) {
				continue
			}
			if a == j && s.enters(id, a, to) {
				o := &Overtaking{First: i, Second: j, To: to, Path: []int{a}}
				for from[id] != id+1 {
					o.Path = append(o.Path, int(by[id]))
					id = from[id] - 1
				}
				o.From = id
				slices.Reverse(o.Path)
				return o
			}
			if from[to] == 0 {
				from[to], by[to] = id+1, uint8(a)
				queue = append(queue, to)
			}
		}
	}
	return nil
}
