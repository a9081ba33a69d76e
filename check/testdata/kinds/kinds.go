// Package kinds has one lock for elements of every kind: they are appended, copied,
// assigned, passed, ranged over and put into interfaces.
package kinds

import "sync/atomic"

type kinds[T any] struct {
	busy atomic.Bool
	of   []*part[T]
}

type part[T any] struct {
	list  []T
	one   T
	arr   [2]T
	box   box[T]
	boxes []box[T]
	p     *T
	any   any
}

type box[T any] struct {
	a T
	n int
}

func newPart[T any](values ...T) *part[T] {
	l := new(part[T])
	l.list = append(l.list, values...)
	l.list = append(l.list, values[0], values[1])
	l.list = append([]T(nil), l.list...)
	l.boxes = append(l.boxes, box[T]{values[0], 1}, box[T]{a: values[1]})
	l.p = &l.one
	return l
}

func newKinds[T any](values ...T) *kinds[T] {
	return &kinds[T]{of: []*part[T]{newPart(values...), newPart(values...), newPart(values...)}}
}

func take[T any](b box[T], vs ...T) (T, int) { return b.a, b.n + len(vs) }

func (k *kinds[T]) Lock(i int) {
	k.of[i].work()
	for k.busy.Swap(true) {
	}
	k.of[i].work()
}

func (l *part[T]) work() {
	l.one = l.list[0]
	l.list[1] = l.one
	l.arr = [2]T{l.one, l.list[1]}
	for k, v := range l.list {
		if k == 2 {
			l.one = v
		}
	}
	for _, v := range l.arr {
		l.one = v
	}
	for k, b := range l.boxes {
		l.box = b
		l.boxes[k].a, l.boxes[k].n = b.a, 1
	}
	copy(l.list, l.list[1:])
	own := append([]T(nil), l.list...)
	own = append(own, l.one)
	l.list[0] = own[1]
	x, n := take(l.box, l.list...)
	*l.p, l.box.n = x, n
	v := l.box
	v.n = 0
	l.box = v
	clear(l.list)
	copy(l.list, own)
	var e any = l.box
	f := e.(box[T])
	f.n++
	l.box = f
	g := func(b box[T]) T { return b.a }
	l.one = g(l.box)
	l.arr[1], l.arr[0] = l.arr[0], l.arr[1]
	var h interface{ get() T } = l.box
	l.one = h.get()
	h = &l.box
	l.one = h.get()
	l.any = nil
}

func (b box[T]) get() T { return b.a }

func (k *kinds[T]) Unlock(i int) { k.of[i].one = k.of[i].list[0]; k.busy.Store(false) }

type myByte byte
type myInt int
type myString string
type myFunc func(int) int
type pair struct{ a, b int32 }
type deep struct {
	pair
	s  []int
	ok bool
	e  struct{}
	n  [2]pair
}
type I interface{ get() int }

func (p pair) get() int  { return int(p.a) }
func (p *deep) get() int { return int(p.a) }
func (m myInt) get() int { return int(m) }

var v1, v2 int

func id(i int) int  { return i }
func neg(i int) int { return -i }

func NewBool(int) *kinds[bool]            { return newKinds(true, false) }
func NewInt(int) *kinds[int]              { return newKinds(1, -2) }
func NewInt8(int) *kinds[int8]            { return newKinds[int8](1, -2) }
func NewInt16(int) *kinds[int16]          { return newKinds[int16](1, -2) }
func NewInt32(int) *kinds[rune]           { return newKinds('a', 'b') }
func NewInt64(int) *kinds[int64]          { return newKinds[int64](1, -2) }
func NewUint(int) *kinds[uint]            { return newKinds[uint](1, 2) }
func NewByte(int) *kinds[byte]            { return newKinds[byte](1, 2) }
func NewUint16(int) *kinds[uint16]        { return newKinds[uint16](1, 2) }
func NewUint64(int) *kinds[uint64]        { return newKinds[uint64](1, 1<<63) }
func NewUintptr(int) *kinds[uintptr]      { return newKinds[uintptr](1, 2) }
func NewFloat(int) *kinds[float64]        { return newKinds(1.5, 2) }
func NewComplex(int) *kinds[complex64]    { return newKinds[complex64](1, 2i) }
func NewString(int) *kinds[string]        { return newKinds("p", "qq") }
func NewMyByte(int) *kinds[myByte]        { return newKinds[myByte](1, 2) }
func NewMyInt(int) *kinds[myInt]          { return newKinds[myInt](1, 2) }
func NewMyString(int) *kinds[myString]    { return newKinds[myString]("a", "") }
func NewPair(int) *kinds[pair]            { return newKinds(pair{1, 2}, pair{}) }
func NewDeep(int) *kinds[deep]            { return newKinds(deep{s: []int{1}}, deep{ok: true}) }
func NewArray(int) *kinds[[3]int8]        { return newKinds([3]int8{1}, [3]int8{}) }
func NewPtr(int) *kinds[*int]             { return newKinds(&v1, &v2) }
func NewPtrNew(int) *kinds[*pair]         { return newKinds(new(pair), nil) }
func NewSlice(int) *kinds[[]int]          { return newKinds([]int{1}, nil) }
func NewMap(int) *kinds[map[int]int]      { return newKinds(map[int]int{1: 2}, nil) }
func NewFunc(int) *kinds[func(int) int]   { return newKinds(id, neg) }
func NewMyFunc(int) *kinds[myFunc]        { return newKinds[myFunc](id, nil) }
func NewIface(int) *kinds[I]              { return newKinds[I](myInt(1), nil) }
func NewIfacePtr(int) *kinds[I]           { return newKinds[I](new(deep), myInt(2)) }
func NewIfaceStruct(int) *kinds[I]        { return newKinds[I](pair{}, myInt(2)) }
func NewAny(int) *kinds[any]              { return newKinds[any](1, "s") }
func NewError(int) *kinds[error]          { return newKinds[error](nil, nil) }
func NewChan(int) *kinds[chan int]        { return newKinds(make(chan int, 1), nil) }
func NewEmpty(int) *kinds[struct{}]       { return newKinds(struct{}{}, struct{}{}) }
func NewZero(int) *kinds[[0]int]          { return newKinds([0]int{}, [0]int{}) }
func NewAtomic(int) *kinds[*atomic.Int32] { return newKinds(new(atomic.Int32), nil) }
func NewNested(int) *kinds[box[pair]]     { return newKinds(box[pair]{n: 1}, box[pair]{}) }
