package verdicts

import (
	"maps"
	"slices"
	"sync/atomic"
)

// Data that the lock protects: a counter, and names that New appends.
type Names struct {
	bit
	count int
	names []string
}

func NewNames(n int) *Names { // want: !sf
	l := new(Names)
	for range n {
		l.names = append(l.names, "p")
	}
	return l
}
func (l *Names) Lock(i int) {
	l.bit.Lock(i)
	l.count = (l.count + len(l.names[i])) % 3
}

// The same counter, before the lock is taken.
type NamesRace struct{ Names }

func NewNamesRace(n int) *NamesRace { return &NamesRace{*NewNames(n)} } // want: !sf !race
func (l *NamesRace) Lock(i int) {
	l.count = (l.count + len(l.names[i])) % 3
	l.bit.Lock(i)
}

// What New appends: structures, arrays, functions, interfaces, pointers, slices.
type parts struct {
	a [2]int8
	s string
}
type Appends struct {
	structs []parts
	arrays  [][2]uint16
	funcs   []func(*atomic.Bool) bool
	faces   []any
	nodes   []*node
	slices  [][]bool
	runes   []rune
	at      []atomic.Bool
}

func NewAppends(n int) *Appends { // want: !sf
	l := &Appends{at: make([]atomic.Bool, 3)}
	for i := range n {
		l.structs = append(l.structs, parts{[2]int8{0, 1}, "one"}, parts{s: "two"})
		l.arrays = append(l.arrays, [2]uint16{uint16(i), 1})
		l.funcs = append(l.funcs, func(b *atomic.Bool) bool { return b.Swap(i >= 0) })
		l.faces = append(l.faces, i, "x", parts{}, l.arrays[i])
		l.nodes = append(l.nodes, new(node))
		l.slices = append(l.slices, append([]bool(nil), true, false))
		l.runes = append(l.runes, []rune("äb")...)
	}
	return l
}
func (l *Appends) which(i int) int {
	k := int(l.structs[2*i].a[1]) // 1
	k *= int(l.arrays[i][1])      // 1
	if l.slices[i][1] || l.faces[4*i+1] != any("x") || l.faces[4*i] != any(i) {
		k = 2
	}
	return k + int(l.runes[2*i+1]-'a') // 2
}
func (l *Appends) Lock(i int) {
	for l.funcs[i](&l.at[l.which(i)]) {
	}
}
func (l *Appends) Unlock(i int) { l.at[l.which(i)].Store(false) }

// The same, where process 1 takes another word.
type AppendsApart struct{ *Appends }

func NewAppendsApart(n int) AppendsApart { // want: !me
	l := NewAppends(n)
	l.arrays = append(append([][2]uint16{l.arrays[0]}, [2]uint16{}), l.arrays[1:]...)
	return AppendsApart{l}
}

// Copies of structures into interfaces, with a method of a pointer far inside.
type raiser interface{ raise() bool }
type inmost struct{ b atomic.Bool }

func (x *inmost) raise() bool { return !x.b.Swap(true) }

type middle struct {
	z int
	*inmost
}
type outmost struct {
	y [3]int
	middle
}
type Copies struct {
	outer outmost
	by    raiser
}

func NewCopies(int) *Copies { // want: !sf
	l := &Copies{outer: outmost{[3]int{1, 2, 3}, middle{4, new(inmost)}}}
	l.by = l.outer
	return l
}
func (l *Copies) Lock(int) {
	var r raiser = l.outer
	for !r.raise() {
		r = l.by
	}
}
func (l *Copies) Unlock(int) { l.by.(outmost).b.Store(false) }

// A copy taken before the lock: of plain data, it is a race.
type CopyRace struct {
	bit
	at struct{ x, y int }
}

func NewCopyRace(int) *CopyRace { return new(CopyRace) } // want: !sf !race
func (l *CopyRace) Lock(i int) {
	at := l.at
	l.bit.Lock(i)
	at.x ^= 1
	l.at = at
}

// The same behind the lock.
type CopyHeld struct{ CopyRace }

func NewCopyHeld(int) *CopyHeld { return new(CopyHeld) } // want: !sf
func (l *CopyHeld) Lock(i int) {
	l.bit.Lock(i)
	at := l.at
	at.x, at.y = at.y, 1-at.x
	l.at = at
}

// A channel that New makes.
type Channel struct {
	bit
	ids  chan int
	mine []int
}

func NewChannel(n int) *Channel { // want: refused: .* uses the outcome of code that makes a channel .*
	l := &Channel{ids: make(chan int, n), mine: make([]int, n)}
	for i := range n {
		l.mine[i] = i
	}
	return l
}
func (l *Channel) Lock(i int) {
	if l.ids == nil || cap(l.ids) != len(l.mine) {
		return
	}
	l.bit.Lock(l.mine[i])
}

// The same channel, which Lock lets be.
type ChannelIdle struct{ *Channel }

func NewChannelIdle(n int) ChannelIdle { return ChannelIdle{NewChannel(n)} } // want: !sf
func (l ChannelIdle) Lock(i int)       { l.bit.Lock(l.mine[i]) }

// Functions that capture the variable of a loop: each process has a flag of its own.
type Loop struct{ enter, leave []func() bool }

func NewLoop(n int) *Loop { // want: !me
	l, flag := new(Loop), make([]atomic.Bool, n)
	for i := range n {
		l.enter = append(l.enter, func() bool { return !flag[i].Swap(true) })
		l.leave = append(l.leave, func() bool { return flag[i].Swap(false) })
	}
	return l
}
func (l *Loop) Lock(i int) {
	for !l.enter[i]() {
	}
}
func (l *Loop) Unlock(i int) { l.leave[i]() }

// The same, with one variable for all turns of the loop.
type LoopOne struct{ Loop }

func NewLoopOne(n int) *LoopOne { // want: !sf
	l, flag := new(LoopOne), make([]atomic.Bool, n+1)
	var i int
	for i = range n {
		l.enter = append(l.enter, func() bool { return !flag[i].Swap(true) })
		l.leave = append(l.leave, func() bool { return flag[i].Swap(false) })
	}
	return l
}

// Range over a copy of an array that others write: a race.
type RangeCopy struct {
	bit
	seen [2]int
}

func NewRangeCopy(int) *RangeCopy { return new(RangeCopy) } // want: !sf !race
func (l *RangeCopy) Lock(i int) {
	sum := 0
	for _, s := range l.seen {
		sum += s
	}
	for l.busy.Swap(true) {
	}
	l.seen[i] = 1 - sum%2
}

// Range over a function.
type RangeFunc struct{ flag [2]atomic.Bool }

func NewRangeFunc(int) *RangeFunc { return new(RangeFunc) } // want: !dl !sf
func (l *RangeFunc) others(i int) func(func(*atomic.Bool) bool) {
	return func(yield func(*atomic.Bool) bool) {
		for j := range l.flag {
			if j != i && !yield(&l.flag[j]) {
				return
			}
		}
	}
}
func (l *RangeFunc) Lock(i int) {
	l.flag[i].Store(true)
	for f := range l.others(i) {
		for f.Load() {
		}
	}
}
func (l *RangeFunc) Unlock(i int) { l.flag[i].Store(false) }

// Publishing a slice of a process's own.
type Slices struct {
	at   atomic.Pointer[[]atomic.Bool]
	mine []*[]atomic.Bool
}

func NewSlices(n int) *Slices { return &Slices{mine: make([]*[]atomic.Bool, n)} } // want: !sf
func (l *Slices) Lock(i int) {
	s := make([]atomic.Bool, 2)
	l.mine[i] = &s
	for !l.at.CompareAndSwap(nil, &s) {
	}
	s[1].Store(true)
}
func (l *Slices) Unlock(i int) {
	(*l.mine[i])[1].Store(false)
	l.at.Store(nil)
}

// Tickets modulo 4, drawn by a compare-and-swap that can fail forever.
type Ring4 struct {
	next, serving atomic.Uint64
	turn          []uint64
}

func NewRing4(n int) *Ring4 { return &Ring4{turn: make([]uint64, n)} } // want: !sf
func (l *Ring4) Lock(i int) {
	for {
		t := l.next.Load()
		if l.next.CompareAndSwap(t, (t+1)&3) {
			l.turn[i] = t
			break
		}
	}
	for l.serving.Load() != l.turn[i] {
	}
}
func (l *Ring4) Unlock(i int) { l.serving.Store((l.turn[i] + 1) & 3) }

// What New collects by a function that it does not know.
type Collects struct {
	bit
	ids []int
}

func NewCollects(int) *Collects { // want: refused: .*memory that a function that is not known was given.*
	return &Collects{ids: slices.Sorted(maps.Keys(map[int]bool{0: true, 1: true}))}
}
func (l *Collects) Lock(i int) {
	if l.ids[i] == i {
		l.bit.Lock(i)
	}
}
