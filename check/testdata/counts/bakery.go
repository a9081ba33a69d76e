package counts

import "sync/atomic"

// Bakery is Lamport's bakery.
type Bakery struct {
	choosing []atomic.Bool
	number   []atomic.Uint64
}

// NewBakery returns a Bakery.
func NewBakery(n int) *Bakery {
	return &Bakery{choosing: make([]atomic.Bool, n), number: make([]atomic.Uint64, n)}
}

func (l *Bakery) Lock(i int) { l.wait(i, l.choose(i, 1)) }

func (l *Bakery) choose(i int, more uint64) uint64 {
	l.choosing[i].Store(true)
	var most uint64
	for j := range l.number {
		most = max(most, l.number[j].Load())
	}
	l.number[i].Store(more + most)
	l.choosing[i].Store(false)
	return more + most
}

func (l *Bakery) wait(i int, mine uint64) {
	for j := range l.number {
		for l.choosing[j].Load() {
		}
		for j != i {
			if other := l.number[j].Load(); other == 0 || other > mine || other == mine && j > i {
				break
			}
		}
	}
}

func (l *Bakery) Unlock(i int) { l.number[i].Store(0) }

// Sparse takes only every second number.
type Sparse struct{ *Bakery }

// NewSparse returns a Sparse.
func NewSparse(n int) *Sparse { return &Sparse{NewBakery(n)} }

func (l *Sparse) Lock(i int) { l.wait(i, l.choose(i, 2)) }

// First does not wait with number 1 for larger ids.
type First struct{ *Bakery }

// NewFirst returns a First.
func NewFirst(n int) *First { return &First{NewBakery(n)} }

func (l *First) Lock(i int) {
	if mine := l.choose(i, 1); mine > 1 || i > 0 {
		l.wait(i, mine)
	}
}

// Open chooses in the open: two processes get in.
type Open struct{ *Bakery }

// NewOpen returns an Open.
func NewOpen(n int) *Open { return &Open{NewBakery(n)} }

func (l *Open) Lock(i int) {
	mine := 1 + max(l.number[0].Load(), l.number[1].Load())
	l.number[i].Store(mine)
	l.wait(i, mine)
}

// Tie lets both processes in that have the same number.
type Tie struct{ *Bakery }

// NewTie returns a Tie.
func NewTie(n int) *Tie { return &Tie{NewBakery(n)} }

func (l *Tie) Lock(i int) { l.wait(0, l.choose(i, 1)) }

// Ninth does not wait with number 9.
type Ninth struct{ *Bakery }

// NewNinth returns a Ninth.
func NewNinth(n int) *Ninth { return &Ninth{NewBakery(n)} }

func (l *Ninth) Lock(i int) {
	if mine := l.choose(i, 1); mine != 9 {
		l.wait(i, mine)
	}
}

// Listed notes which of the numbers below 3 it has given out.
type Listed struct {
	*Bakery
	given [4]atomic.Bool
}

// NewListed returns a Listed.
func NewListed(n int) *Listed { return &Listed{Bakery: NewBakery(n)} }

func (l *Listed) Lock(i int) {
	mine := l.choose(i, 1)
	l.given[min(mine, 3)].Store(true)
	l.wait(i, mine)
}

// Brief has numbers that wrap around.
type Brief struct {
	Ticket
	most atomic.Uint32
}

// NewBrief returns a Brief.
func NewBrief(int) *Brief { return new(Brief) }

func (l *Brief) Lock(int) {
	mine := l.next.Add(1) - 1
	l.await(mine)
	if l.most.Load() == 0 {
		l.most.Store(mine)
	}
}

// Catches has a number that starts again from 0 each time that it has caught up with another.
type Catches struct {
	busy        atomic.Uint32
	ahead, back atomic.Uint64
}

// NewCatches returns a Catches.
func NewCatches(int) *Catches { return new(Catches) }

func (l *Catches) Lock(i int) {
	for l.busy.Swap(1) == 1 {
	}
	if i == 0 {
		l.ahead.Add(1)
	} else if l.back.Add(1) >= l.ahead.Load() {
		l.back.Store(0)
	}
}

func (l *Catches) Unlock(int) { l.busy.Store(0) }
