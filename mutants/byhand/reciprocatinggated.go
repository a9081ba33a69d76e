package byhand

import (
	"sync/atomic"

	"shmbench/queue"
	"shmbench/shm"
	"shmbench/spin"
)

var reciprocatingGatedLock = queue.ReciprocatingGated(shm.Packed, shm.Sequential)

var reciprocatingGateds = []Mutant{
	mutate(reciprocatingGatedLock, "reciprocatinggated-stack-first", "a leader takes its stack before it closes the gate behind it", Safety, 2,
		func(n int) shm.Mutex { return &gatedStackFirst{newGated(n)} }),
	mutate(reciprocatingGatedLock, "reciprocatinggated-always-opens", "every process that leaves opens the gate, also if others of its stack are left", Safety, 2,
		func(n int) shm.Mutex { return &gatedAlwaysOpens{newGated(n)} }),
}

// gatedBase is the gated reciprocating lock in pieces:
//
//	entry section of process i, whose name is e:
//	1  eos[e] := nil; end := e
//	2  prv := swap(arrivals, e)
//	3  if prv is not nil then wait until eos[e] is not nil; end := eos[e]
//	4  else wait until not gate
//	5      gate := true
//	6      prv := swap(arrivals, nil)
//	exit section of process i:
//	7  if prv is not end then eos[prv] := end
//	8  else gate := false
type gatedBase struct {
	arrivals atomic.Uint32 // none, or i+1 for process i
	gate     atomic.Bool
	eos      []atomic.Uint32 // as arrivals
	private  []gated         // private[i] is used by process i only
}

type gated struct{ prv, end uint32 }

func newGated(n int) *gatedBase {
	return &gatedBase{eos: make([]atomic.Uint32, n), private: make([]gated, n)}
}

// await is lines 1 to 4.
func (l *gatedBase) await(i int) gated {
	e, eos := uint32(i+1), &l.eos[i]
	eos.Store(none)                             // 1
	if prv := l.arrivals.Swap(e); prv != none { // 2
		spin.Until(func() bool { return eos.Load() != none }) // 3
		return gated{prv, eos.Load()}
	}
	spin.Until(func() bool { return !l.gate.Load() }) // 4
	return gated{none, e}
}

func (l *gatedBase) Lock(i int) {
	p := l.await(i)
	if p.prv == none {
		l.gate.Store(true)            // 5
		p.prv = l.arrivals.Swap(none) // 6
	}
	l.private[i] = p
}

func (l *gatedBase) Unlock(i int) {
	if p := l.private[i]; p.prv != p.end {
		l.eos[p.prv-1].Store(p.end) // 7
	} else {
		l.gate.Store(false) // 8
	}
}

type gatedStackFirst struct{ *gatedBase }

func (l *gatedStackFirst) Lock(i int) {
	p := l.await(i)
	if p.prv == none {
		p.prv = l.arrivals.Swap(none) // 6
		l.gate.Store(true)            // 5
	}
	l.private[i] = p
}

type gatedAlwaysOpens struct{ *gatedBase }

func (l *gatedAlwaysOpens) Unlock(i int) {
	if p := l.private[i]; p.prv != p.end {
		l.eos[p.prv-1].Store(p.end) // 7
	}
	l.gate.Store(false) // 8
}
