package plain

import (
	"sync/atomic"
	"unsafe"
)

// Loops reads what it guards in loops of all kinds.
type Loops struct {
	guard
	list  []int
	array [2]int
	whole *[2]int
	total int
	names []string
}

func NewLoops(n int) *Loops {
	return &Loops{list: make([]int, n), whole: new([2]int), names: []string{"a", "bc"}}
}

func (l *Loops) Lock(pid int) {
	l.enter()
	l.list[pid] ^= 1
	l.total = 0
	for _, x := range l.list {
		if x == 0 {
			continue
		}
		l.total += x
	}
	for i := range l.array {
		l.total += i
	}
	for i, x := range l.whole {
		l.total += i * x
	}
	var i, x int
	for i, x = range l.list {
		l.total += i * x
	}
	for l.whole[pid] = 0; l.whole[pid] < 2; l.whole[pid]++ {
		l.total++
	}
	for range l.total % 2 {
		l.total--
	}
	l.total %= 4
}

func (l *Loops) Unlock(pid int) {
	for _, name := range l.names {
		l.array[pid] = len(name)
	}
	l.leave()
}

// Lengths goes over indexes alone: what they are of is not evaluated, since its length
// is known.
type Lengths struct {
	guard
	rows  [][2]int
	whole *[2]int
}

func NewLengths(n int) *Lengths { return &Lengths{rows: make([][2]int, n), whole: new([2]int)} }

func (l *Lengths) Lock(pid int) {
	l.enter()
	for i := range l.rows[pid] {
		l.rows[pid][i] ^= 1
	}
	for i := range l.whole {
		l.whole[i] ^= 1
	}
	l.rows = l.rows[:len(l.rows):2] // so that to read it is a step
	for range l.rows[l.first()] {
		l.whole = &l.rows[1]
	}
	for range *l.second() {
		l.whole = &l.rows[0]
	}
}

// The call is made and the expression around it is evaluated, except the array itself.
func (l *Lengths) first() int { return l.rows[0][0] & 1 }

func (l *Lengths) second() *[2]int { return l.whole }

func (l *Lengths) Unlock(int) {
	for range l.rows[7] {
		l.whole = &l.rows[0]
	}
	l.leave()
}

// Slices copies and clears slices, each process its own.
type Slices struct {
	guard
	mine [][]int
	from []int
}

func NewSlices(n int) *Slices {
	l := &Slices{from: []int{3, 4, 5}}
	for range n {
		l.mine = append(l.mine, make([]int, 3))
	}
	return l
}

func (l *Slices) Lock(pid int) {
	if copy(l.mine[pid][1:], l.from) != 2 {
		panic("not two")
	}
	l.enter()
}

func (l *Slices) Unlock(pid int) {
	l.leave()
	for i := range l.mine[pid][:2] {
		l.mine[pid][i] = 0
	}
	own := append(l.mine[pid][:1:1], l.from[0])
	own = append(own, 2)
	l.mine[pid][0] = min(own[1], len(own))
}

type inner struct {
	count int
	busy  atomic.Bool
}

func (in *inner) take() {
	for in.busy.Swap(true) {
	}
	in.count++
	in.count &= 1
}

func (in *inner2) sum() int { return in.x + in.y }

type inner2 struct{ x, y int }

type middle struct{ *inner }

// Embeds reaches fields and methods through embedded pointers.
type Embeds struct {
	middle
	*inner2
	wait func(pid int)
	any  interface{ take() }
}

func NewEmbeds(n int) *Embeds {
	calls := 0
	l := &Embeds{middle: middle{new(inner)}, inner2: &inner2{y: 1}}
	l.wait = func(pid int) {
		calls++
		calls %= 3
		l.x = calls
	}
	l.any = l
	return l
}

func (l *Embeds) Lock(pid int) {
	if pid == 0 {
		l.take()
	} else {
		l.any.take()
	}
	l.count = 1 - l.count
	l.wait(pid)
}

func (l *Embeds) Unlock(pid int) {
	if s := l.sum(); s != l.x+l.y {
		panic("lost")
	}
	f := l.inner2.sum
	l.y = f() % 2
	l.busy.Store(false)
}

// Cell is generic.
type Cell[T comparable] struct {
	guard
	v    T
	none T
}

func NewCell(n int) *Cell[string] { return &Cell[string]{none: "none"} }

func (c *Cell[T]) Lock(pid int) {
	c.enter()
	if c.v == c.none {
		panic("not cleared")
	}
	c.v = c.none
}

func (c *Cell[T]) Unlock(pid int) {
	var zero T
	c.v = zero
	c.leave()
}

// Values is a lock by value.
type Values struct{ p *Ring }

func NewValues(n int) Values { return Values{NewRing(n)} }

func (l Values) Lock(pid int)   { l.p.Lock(pid) }
func (l Values) Unlock(pid int) { l.p.Unlock(pid) }

// Unsafe reaches a plain field through an unsafe pointer of its own type.
type Unsafe struct {
	guard
	owner int
	at    unsafe.Pointer
}

func NewUnsafe(n int) *Unsafe {
	l := new(Unsafe)
	l.at = unsafe.Pointer(&l.owner)
	return l
}

func (l *Unsafe) Lock(pid int) {
	l.enter()
	*(*int)(l.at) = pid
}

func (l *Unsafe) Unlock(pid int) {
	if l.owner != pid {
		panic("not the owner")
	}
	l.leave()
}

// Words uses plain words through the functions of sync/atomic, and plainly.
type Words struct {
	busy  uint32
	owner int64
}

func NewWords(n int) *Words { return new(Words) }

func (l *Words) Lock(pid int) {
	for !atomic.CompareAndSwapUint32(&l.busy, 0, 1) {
	}
	l.owner = int64(-pid)
}

func (l *Words) Unlock(pid int) {
	if l.owner > 0 {
		panic("positive")
	}
	atomic.StoreUint32(&l.busy, 0)
}

// Tags keeps values of other kinds.
type Tags struct {
	guard
	name string
	any  any
	call func() bool
	list []int
}

func NewTags(n int) *Tags { return &Tags{list: []int{1, 2}} }

func (l *Tags) Lock(pid int) {
	l.enter()
	l.name += "x"
	if len(l.name) > 2 {
		l.name = l.name[1:]
	}
	if l.any == nil {
		l.any = pid
	} else {
		l.any = nil
	}
	l.list = l.list[:len(l.list)%2+1]
}

func (l *Tags) Unlock(pid int) {
	if l.call != nil {
		panic("called")
	}
	l.leave()
}
