package explore

import (
	"encoding/binary"
	"slices"

	"shmbench/distributed"
)

// The status of a thread as its environment sees it.
const (
	idle uint8 = iota
	waiting
	inside
	gone   // its node crashed
	absent // no thread: room for one
	hung   // in its critical section forever
)

// The kinds of budget.
const (
	mayLose = iota
	mayDuplicate
	mayCrash
	mayRecover
	mayPartition
	maySuspect
	mayExpireEarly
	mayMove
	mayHang
	budgets
)

// state is one state of the whole system, in working form.
type state struct {
	local  []int32   // per node: number in its automaton
	status []uint8   // per place
	left   []uint8   // per place: requests left
	timers [][]timer // per node, by id
	down   uint8     // set of crashed nodes
	cut    uint8     // set of the nodes on node 0's other side; 0: no partition
	budget [budgets]uint8
	chans  [][]entry // per ordered pair from*n+to: what is under way, oldest first
	claims []claim   // elections: every leader of a term that a node believed in
}

// An entry of a channel is a message's number, with due added if it has been
// under way for a tick.
type entry int32

const due entry = 1 << 30

func entryOf(message int32) entry { return entry(message) }
func (e entry) message() int32    { return int32(e &^ due) }

type timer struct {
	id    uint8
	ticks uint8 // ticks until the timer expires; 0 if it may expire at any time
}

type claim struct {
	term   int64
	leader distributed.ID
}

func newState(n, threads int) *state {
	return &state{
		local: make([]int32, n), status: make([]uint8, n*threads), left: make([]uint8, n*threads),
		timers: make([][]timer, n), chans: make([][]entry, n*n),
	}
}

func (s *state) appendKey(b []byte) []byte {
	for _, l := range s.local {
		b = binary.AppendUvarint(b, uint64(l))
	}
	b = append(b, s.status...)
	b = append(b, s.left...)
	for _, ts := range s.timers {
		b = append(b, uint8(len(ts)))
		for _, t := range ts {
			b = append(b, t.id, t.ticks)
		}
	}
	b = append(b, s.down, s.cut)
	b = append(b, s.budget[:]...)
	for _, c := range s.chans {
		b = binary.AppendUvarint(b, uint64(len(c)))
		for _, m := range c {
			b = binary.AppendUvarint(b, uint64(m))
		}
	}
	b = binary.AppendUvarint(b, uint64(len(s.claims)))
	for _, c := range s.claims {
		b = binary.AppendVarint(b, c.term)
		b = append(b, uint8(c.leader))
	}
	return b
}

// read sets s to the state whose key is k.
func (s *state) read(k string) {
	uvarint := func() uint64 {
		v, shift := uint64(0), 0
		for {
			c := k[0]
			k = k[1:]
			v |= uint64(c&0x7f) << shift
			if c < 0x80 {
				return v
			}
			shift += 7
		}
	}
	for i := range s.local {
		s.local[i] = int32(uvarint())
	}
	k = k[copy(s.status, k):]
	k = k[copy(s.left, k):]
	for i := range s.timers {
		n := int(k[0])
		k = k[1:]
		s.timers[i] = s.timers[i][:0]
		for range n {
			s.timers[i] = append(s.timers[i], timer{k[0], k[1]})
			k = k[2:]
		}
	}
	s.down, s.cut = k[0], k[1]
	k = k[2:]
	k = k[copy(s.budget[:], k):]
	for i := range s.chans {
		n := int(uvarint())
		s.chans[i] = s.chans[i][:0]
		for range n {
			s.chans[i] = append(s.chans[i], entry(uvarint()))
		}
	}
	n := int(uvarint())
	s.claims = s.claims[:0]
	for range n {
		u := uvarint()
		s.claims = append(s.claims, claim{int64(u>>1) ^ -int64(u&1), distributed.ID(k[0])})
		k = k[1:]
	}
}

func (s *state) isDown(i distributed.ID) bool { return s.down>>i&1 != 0 }

// parted reports whether a partition keeps messages of i from j.
func (g *graph) parted(s *state, i, j distributed.ID) bool {
	return s.cut>>i&1 != s.cut>>j&1 && !(g.m.Apart && (i == 0 || j == 0))
}

func (s *state) underWay() bool {
	return slices.ContainsFunc(s.chans, func(c []entry) bool { return len(c) > 0 })
}

// anyDue reports whether a message must arrive before time passes.
func (s *state) anyDue() bool {
	return slices.ContainsFunc(s.chans, func(c []entry) bool {
		return slices.ContainsFunc(c, func(e entry) bool { return e&due != 0 })
	})
}

// setTimer sets, resets or cancels a timer of node i.
func (s *state) setTimer(i distributed.ID, t timer, cancel bool) {
	ts := s.timers[i]
	at, found := slices.BinarySearchFunc(ts, t, func(a, b timer) int { return int(a.id) - int(b.id) })
	switch {
	case found && cancel:
		ts = slices.Delete(ts, at, at+1)
	case found:
		ts[at] = t
	case !cancel:
		ts = slices.Insert(ts, at, t)
	}
	s.timers[i] = ts
}

// timer returns a timer of node i that is set.
func (s *state) timer(i distributed.ID, id uint8) timer {
	return s.timers[i][slices.IndexFunc(s.timers[i], func(t timer) bool { return t.id == id })]
}
