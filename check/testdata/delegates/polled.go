package delegates

import (
	"sync/atomic"

	"shmbench/locks/delegation"
	"shmbench/shm"
	"shmbench/shm/spin"
)

// Polled is a ticket lock that does everything by requests: a process that waits makes one
// request after another, without end. So a batch can have any number of requests.
type Polled struct {
	delegate        shm.Delegate
	drawn, serving  uint64 // modulo n
	draw, look, end func() uint64
}

func polled(n int, delegate shm.Delegate) *Polled {
	l := &Polled{delegate: delegate}
	next := func(ticket uint64) uint64 {
		if ticket+1 == uint64(n) {
			return 0
		}
		return ticket + 1
	}
	l.draw = func() uint64 {
		ticket := l.drawn
		l.drawn = next(ticket)
		return ticket
	}
	l.look = func() uint64 { return l.serving }
	l.end = func() uint64 {
		l.serving = next(l.serving)
		return 0
	}
	return l
}

func (l *Polled) Lock(i int) {
	for ticket := l.delegate.Execute(i, l.draw); l.delegate.Execute(i, l.look) != ticket; {
		spin.Pause()
	}
}

func (l *Polled) Unlock(i int) { l.delegate.Execute(i, l.end) }

// NewPolledCCSynch1 and the following are right.
func NewPolledCCSynch1(n int) *Polled { return polled(n, delegation.NewCCSynch(n, 1)) }

func NewPolledCCSynch2(n int) *Polled { return polled(n, delegation.NewCCSynch(n, 2)) }

func NewPolledDSMSynch1(n int) *Polled { return polled(n, delegation.NewDSMSynch(n, 1)) }

func NewPolledDSMSynch2(n int) *Polled { return polled(n, delegation.NewDSMSynch(n, 2)) }

func NewPolledFlatCombining(n int) *Polled { return polled(n, delegation.NewFlatCombining(n, 1)) }

// NewPolledGreedy has a combiner without a bound.
func NewPolledGreedy(n int) *Polled { return polled(n, newGreedy(n)) }

// NewGreedy has requests that come to an end, so that the combiner does, too.
func NewGreedy(n int) *delegation.TicketMutex { return delegation.NewTicketMutex(n, newGreedy(n)) }

// greedy executes requests as long as there are any.
type greedy struct {
	bit
	record []record
}

type record struct {
	pending atomic.Bool
	request func() uint64
	result  uint64
}

func newGreedy(n int) *greedy { return &greedy{record: make([]record, n)} }

func (d *greedy) Execute(i int, f func() uint64) uint64 {
	own := &d.record[i]
	own.request = f
	own.pending.Store(true)
	for own.pending.Load() {
		if d.busy.Swap(true) {
			spin.Pause()
			continue
		}
		for d.serve() {
		}
		d.Unlock(i)
	}
	return own.result
}

// serve executes the requests that are pending, and reports whether there were any.
func (d *greedy) serve() (served bool) {
	for j := range d.record {
		if r := &d.record[j]; r.pending.Load() {
			r.result = r.request()
			r.pending.Store(false)
			served = true
		}
	}
	return served
}
