package traps

import "sync/atomic"

// Counted counts passages, which decides nothing.
type Counted struct {
	TAS
	passages atomic.Int64
	polls    atomic.Uint32
	most     uint64
	own      []struct{ entered, left int }
}

// NewCounted returns a Counted.
func NewCounted(n int) *Counted {
	return &Counted{own: make([]struct{ entered, left int }, n)}
}

func (l *Counted) Lock(i int) {
	for l.busy.Swap(true) {
		l.polls.Add(1)
	}
	l.passages.Add(1)
	l.most += uint64(l.own[i].entered)
	l.own[i].entered++
}

func (l *Counted) Unlock(i int) {
	l.own[i].left = l.own[i].entered
	l.busy.Store(false)
}

// Hundred lets the hundredth passage in without waiting.
type Hundred struct {
	TAS
	passages atomic.Int64
}

// NewHundred returns a Hundred.
func NewHundred(int) *Hundred { return new(Hundred) }

func (l *Hundred) Lock(i int) {
	if l.passages.Add(1) != 100 {
		l.TAS.Lock(i)
	}
}

// Ticket is a ticket lock that counts as well.
type Ticket struct {
	next, serving atomic.Uint32
	polls         atomic.Int64
}

// NewTicket returns a Ticket.
func NewTicket(int) *Ticket { return new(Ticket) }

func (l *Ticket) Lock(int) {
	mine := l.next.Add(1) - 1
	for l.serving.Load() != mine {
		l.polls.Add(1)
	}
}

func (l *Ticket) Unlock(int) { l.serving.Add(1) }

var built int

// Numbered is a lock with a number.
type Numbered struct {
	TAS
	number atomic.Int32
}

// NewNumbered counts the locks that it has built.
func NewNumbered(int) *Numbered {
	built++
	l := new(Numbered)
	l.number.Store(int32(built))
	return l
}

func (l *Numbered) Lock(i int) {
	l.TAS.Lock(i)
	if l.number.Load() != 1 {
		l.busy.Store(false)
	}
}

// IntTicket counts in ints, as New does.
type IntTicket struct {
	next  atomic.Uint32
	words []int
	turn  int
	TAS
}

// NewIntTicket returns an IntTicket.
func NewIntTicket(n int) *IntTicket {
	l := &IntTicket{}
	for i := 0; i < n; i++ {
		l.words = append(l.words, i)
	}
	return l
}

func (l *IntTicket) Lock(i int) {
	l.TAS.Lock(i)
	if l.turn++; l.turn == 100 {
		l.busy.Store(false)
	}
}

// NewHuge allocates more than is there.
func NewHuge(int) *Maybe {
	const size = 1 << 40
	return If(len(make([]int, size)) == size)
}

// NewLarge allocates again and again.
func NewLarge(int) *Maybe {
	var all [][]int
	for i := range 1 << 20 {
		all = append(all, make([]int, 1<<20, 1<<20+i))
	}
	return If(len(all) > 0)
}

// NewTables drops most of what it allocates.
func NewTables(int) *Maybe {
	var table []int
	for i := range 6000 {
		table = append(table, i)
	}
	return If(table[5999] == 5999)
}

// Vast has an array that is larger than memory.
type Vast struct {
	TAS
	words [1 << 33]atomic.Int32
}

// NewVast returns a Vast.
func NewVast(int) *Vast { return new(Vast) }

// NewStuck never returns.
func NewStuck(int) *Maybe {
	for x := 0; ; x = 1 - x {
	}
}

// Scattered writes its own cells on one way or on the other.
type Scattered struct {
	TAS
	own  [][4]int
	turn atomic.Uint32
}

// NewScattered returns a Scattered.
func NewScattered(n int) *Scattered { return &Scattered{own: make([][4]int, n)} }

func (l *Scattered) Lock(i int) {
	switch l.turn.Load() {
	case 0:
		l.own[i][0]++
	case 1:
		l.own[i] = [4]int{1, 2, 3, 4}
	case 2:
		l.own[i][3] = l.own[i][1]
	}
	l.TAS.Lock(i)
	if l.own[i][0] > 2 {
		l.own[i][0] = 0
	}
}

func (l *Scattered) Unlock(i int) {
	l.turn.Store((l.turn.Load() + 1) % 3)
	l.TAS.Unlock(i)
}

// Late writes memory of its own for the first time in its 70th passage.
type Late struct {
	passages atomic.Uint32
	late     bool
}

// NewLate returns a Late.
func NewLate(int) *Late { return new(Late) }

func (l *Late) Lock(int) {
	if l.passages.Add(1) == 70 {
		l.late = true
	}
}

// Unlock does nothing.
func (l *Late) Unlock(int) {}
