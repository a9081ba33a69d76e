// Package verdicts has small locks in many forms of Go, with what each lacks by hand
// behind its constructor: "!me" mutual exclusion, "!dl" deadlock freedom, "!sf"
// starvation freedom, "!exit" exit progress, "!race" data race freedom, "!panic" panic
// freedom, or "ok".
package verdicts

import (
	"runtime"
	"sync/atomic"
	"unsafe"
)

type node struct {
	next atomic.Pointer[node]
	wait atomic.Bool
}

// Pointer TAS.
type PtrTAS struct{ p atomic.Pointer[node] }

func NewPtrTAS(int) *PtrTAS { return new(PtrTAS) } // want: !sf
func (l *PtrTAS) Lock(int) {
	n := new(node)
	for !l.p.CompareAndSwap(nil, n) {
	}
}
func (l *PtrTAS) Unlock(int) { l.p.Store(nil) }

// Unlock by CAS with remembered node: holder's own.
type PtrCAS struct {
	p    atomic.Pointer[node]
	mine []*node
}

func NewPtrCAS(n int) *PtrCAS { return &PtrCAS{mine: make([]*node, n)} } // want: !sf
func (l *PtrCAS) Lock(i int) {
	l.mine[i] = &node{}
	for !l.p.CompareAndSwap(nil, l.mine[i]) {
	}
}
func (l *PtrCAS) Unlock(i int) {
	if !l.p.CompareAndSwap(l.mine[i], nil) {
		panic("not mine")
	}
}

// Fresh node each try: allocation in a loop.
type PtrEach struct{ p atomic.Pointer[node] }

func NewPtrEach(int) *PtrEach { return new(PtrEach) } // want: !sf
func (l *PtrEach) Lock(int) {
	for !l.p.CompareAndSwap(nil, &node{}) {
	}
}
func (l *PtrEach) Unlock(int) { l.p.Store(nil) }

// MCS with private pool of nodes, reused.
type Pool struct {
	tail atomic.Pointer[node]
	free [][]*node
	mine []*node
}

func NewPool(n int) *Pool { // want: ok
	l := &Pool{free: make([][]*node, n), mine: make([]*node, n)}
	for i := range l.free {
		l.free[i] = []*node{{}, {}}
	}
	return l
}
func (l *Pool) Lock(i int) {
	x := l.free[i][0]
	l.free[i][0], l.free[i][1] = l.free[i][1], l.free[i][0]
	l.mine[i] = x
	x.next.Store(nil)
	x.wait.Store(true)
	if p := l.tail.Swap(x); p != nil {
		p.next.Store(x)
		for x.wait.Load() {
			runtime.Gosched()
		}
	}
}
func (l *Pool) Unlock(i int) {
	x := l.mine[i]
	if x.next.Load() == nil {
		if l.tail.CompareAndSwap(x, nil) {
			return
		}
		for x.next.Load() == nil {
		}
	}
	x.next.Load().wait.Store(false)
}

// Nodes in a map built by New.
type MapNodes struct {
	tail atomic.Pointer[node]
	node map[int]*node
}

func NewMapNodes(n int) *MapNodes { // want: ok
	l := &MapNodes{node: map[int]*node{}}
	for i := 0; i < n; i++ {
		l.node[i] = &node{}
	}
	return l
}
func (l *MapNodes) Lock(i int) {
	x := l.node[i]
	x.next.Store(nil)
	x.wait.Store(true)
	if p := l.tail.Swap(x); p != nil {
		p.next.Store(x)
		for x.wait.Load() {
		}
	}
}
func (l *MapNodes) Unlock(i int) {
	x := l.node[i]
	if x.next.Load() == nil && l.tail.CompareAndSwap(x, nil) {
		return
	}
	for x.next.Load() == nil {
	}
	x.next.Load().wait.Store(false)
}

// Generic lock over an atomic word.
type word[T any] interface {
	*T
	CompareAndSwap(old, new int32) bool
	Store(int32)
}
type Gen[T any, P word[T]] struct{ w T }

func NewGen(int) *Gen[atomic.Int32, *atomic.Int32] { return new(Gen[atomic.Int32, *atomic.Int32]) } // want: !sf
func (l *Gen[T, P]) Lock(int) {
	for !P(&l.w).CompareAndSwap(0, 1) {
	}
}
func (l *Gen[T, P]) Unlock(int) { P(&l.w).Store(0) }

// Interface strategy.
type gate interface {
	enter(i int) bool
	leave()
}
type swapGate struct{ b atomic.Bool }

func (g *swapGate) enter(int) bool { return !g.b.Swap(true) }
func (g *swapGate) leave()         { g.b.Store(false) }

type noGate struct{}

func (noGate) enter(int) bool { return true }
func (noGate) leave()         {}

type Iface struct {
	gates []gate
	which int
}

func NewIface(int) *Iface     { return &Iface{gates: []gate{noGate{}, &swapGate{}}, which: 1} } // want: !sf
func NewIfaceOpen(int) *Iface { return &Iface{gates: []gate{noGate{}, &swapGate{}}} }           // want: !me
func (l *Iface) Lock(i int) {
	for !l.gates[l.which].enter(i) {
	}
}
func (l *Iface) Unlock(int) { l.gates[l.which].leave() }

// Method value.
type MethVal struct{ b atomic.Bool }

func NewMethVal(int) *MethVal { return new(MethVal) } // want: !sf
func (l *MethVal) Lock(int) {
	take := l.b.Swap
	for take(true) {
	}
}
func (l *MethVal) Unlock(int) { put := (*atomic.Bool).Store; put(&l.b, false) }

// Closures from New.
type Clos struct {
	enter func(i int)
	leave func()
}

func NewClos(int) *Clos { // want: !sf
	var busy atomic.Int32
	return &Clos{enter: func(i int) {
		for !busy.CompareAndSwap(0, int32(i)+1) {
		}
	}, leave: func() { busy.Store(0) }}
}
func (l *Clos) Lock(i int) { l.enter(i) }
func (l *Clos) Unlock(int) { l.leave() }

// Deferred release of an inner lock protecting a counter of tickets.
type Inner struct {
	guard      atomic.Bool
	next, serv int
}

func NewInner(int) *Inner { return new(Inner) } // want: bounded:!dl !sf !exit
func (l *Inner) with(f func() bool) bool {
	for l.guard.Swap(true) {
	}
	defer l.guard.Store(false)
	return f()
}
func (l *Inner) Lock(int) {
	var t int
	l.with(func() bool { t = l.next; l.next++; return true })
	for !l.with(func() bool { return l.serv == t }) {
	}
}
func (l *Inner) Unlock(int) { l.with(func() bool { l.serv++; return true }) }

// The same with small numbers.
type InnerSmall struct{ Inner }

func NewInnerSmall(int) *InnerSmall { return new(InnerSmall) } // want: !dl !sf !exit
func (l *InnerSmall) Lock(int) {
	var t int
	l.with(func() bool { t = l.next; l.next = (l.next + 1) % 4; return true })
	for !l.with(func() bool { return l.serv == t }) {
	}
}
func (l *InnerSmall) Unlock(int) { l.with(func() bool { l.serv = (l.serv + 1) & 3; return true }) }

// Goto Peterson.
type Goto struct {
	flag [2]atomic.Bool
	turn atomic.Int32
}

func NewGoto(int) *Goto { return new(Goto) } // want: ok
func (l *Goto) Lock(i int) {
	j := 1 - i
	l.flag[i].Store(true)
	l.turn.Store(int32(j))
again:
	if !l.flag[j].Load() {
		goto in
	}
	if l.turn.Load() == int32(j) {
		goto again
	}
in:
}
func (l *Goto) Unlock(i int) { l.flag[i].Store(false) }

// Peterson with the stores exchanged.
type GotoWrong struct{ Goto }

func NewGotoWrong(int) *GotoWrong { return new(GotoWrong) } // want: !me
func (l *GotoWrong) Lock(i int) {
	j := 1 - i
	l.turn.Store(int32(j))
	l.flag[i].Store(true)
	for l.flag[j].Load() && l.turn.Load() == int32(j) {
	}
}

// Labelled continue: scan all others.
type Scan struct{ flag []atomic.Bool }

func NewScan(n int) *Scan { return &Scan{make([]atomic.Bool, n)} } // want: !sf
func (l *Scan) Lock(i int) {
retry:
	for {
		for j := range i {
			if l.flag[j].Load() {
				continue retry
			}
		}
		l.flag[i].Store(true)
		for j := 0; j < i; j++ {
			if l.flag[j].Load() {
				l.flag[i].Store(false)
				continue retry
			}
		}
		break retry
	}
	for j := i + 1; j < len(l.flag); j++ {
		for l.flag[j].Load() {
		}
	}
}
func (l *Scan) Unlock(i int) { l.flag[i].Store(false) }

// Flags only, raise and wait: deadlock.
type Raise struct{ flag [2]atomic.Bool }

func NewRaise(int) *Raise { return new(Raise) } // want: !dl !sf
func (l *Raise) Lock(i int) {
	l.flag[i].Store(true)
	for l.flag[1-i].Load() {
	}
}
func (l *Raise) Unlock(i int) { l.flag[i].Store(false) }

// Look and raise: no exclusion.
type Look struct{ flag [2]atomic.Bool }

func NewLook(int) *Look { return new(Look) } // want: !me !sf
func (l *Look) Lock(i int) {
	for l.flag[1-i].Load() {
	}
	l.flag[i].Store(true)
}
func (l *Look) Unlock(i int) { l.flag[i].Store(false) }

// Raise and back off: livelock.
type Back struct{ flag [2]atomic.Bool }

func NewBack(int) *Back { return new(Back) } // want: !dl !sf
func (l *Back) Lock(i int) {
	for {
		l.flag[i].Store(true)
		if !l.flag[1-i].Load() {
			return
		}
		l.flag[i].Store(false)
	}
}
func (l *Back) Unlock(i int) { l.flag[i].Store(false) }

// Counting semaphore with taking back.
type Count struct{ c atomic.Int32 }

func NewCount(int) *Count { return new(Count) } // want: !dl !sf
func (l *Count) Lock(int) {
	for l.c.Add(1) != 1 {
		l.c.Add(-1)
	}
}
func (l *Count) Unlock(int) { l.c.Add(-1) }

// Bit mask with iota.
type mask uint32

const (
	held mask = 1 << iota
	wanted0
	wanted1
	all = held | wanted0 | wanted1
)

type Mask struct{ w atomic.Uint32 }

func NewMask(int) *Mask { return new(Mask) } // want: !sf
func (l *Mask) Lock(i int) {
	l.w.Or(uint32(wanted0 << i))
	for {
		w := mask(l.w.Load())
		if w&held != 0 {
			continue
		}
		if l.w.CompareAndSwap(uint32(w), uint32((w|held)&^(wanted0<<i))) {
			return
		}
	}
}
func (l *Mask) Unlock(int) { l.w.And(uint32(^held & all)) }

// Old style functions.
type Old struct{ state int32 }

func NewOld(int) *Old { return new(Old) } // want: !sf
func (l *Old) Lock(int) {
	for !atomic.CompareAndSwapInt32(&l.state, 0, 1) {
	}
}
func (l *Old) Unlock(int) { atomic.StoreInt32(&l.state, 0) }

// Old style, released plainly: a race.
type OldPlain struct{ Old }

func NewOldPlain(int) *OldPlain { return new(OldPlain) } // want: !sf !race
func (l *OldPlain) Unlock(int)  { l.state = 0 }

// Atomic.Value.
type Val struct{ v atomic.Value }

func NewVal(int) *Val { return new(Val) } // want: refused: .*atomic.Value.*
func (l *Val) Lock(i int) {
	for !l.v.CompareAndSwap(nil, i) {
	}
}
func (l *Val) Unlock(int) {}

// Unsafe pointer, untagged.
type Unsafe struct{ p unsafe.Pointer }

func NewUnsafe(int) *Unsafe { return new(Unsafe) } // want: !sf
func (l *Unsafe) Lock(int) {
	n := new(node)
	for !atomic.CompareAndSwapPointer(&l.p, nil, unsafe.Pointer(n)) {
	}
}
func (l *Unsafe) Unlock(int) { atomic.StorePointer(&l.p, nil) }

// Pointer to pointer.
type PP struct{ pp **node }

func NewPP(int) *PP { n := new(node); return &PP{&n} } // want: !sf
func (l *PP) Lock(int) {
	for (**l.pp).wait.Swap(true) {
	}
}
func (l *PP) Unlock(int) { (*l.pp).wait.Store(false) }

// Table of named functions.
type step func(l *Table, i int) bool
type Table struct {
	steps []step
	flag  [2]atomic.Bool
	turn  atomic.Int32
}

func raise(l *Table, i int) bool  { l.flag[i].Store(true); return true }
func polite(l *Table, i int) bool { l.turn.Store(int32(1 - i)); return true }
func free(l *Table, i int) bool {
	return !l.flag[1-i].Load() || l.turn.Load() == int32(i)
}
func NewTable(int) *Table      { return &Table{steps: []step{raise, polite, free}} } // want: ok
func NewTableWrong(int) *Table { return &Table{steps: []step{polite, raise, free}} } // want: !me
func (l *Table) Lock(i int) {
	for _, s := range l.steps {
		for !s(l, i) {
		}
	}
}
func (l *Table) Unlock(i int) { l.flag[i].Store(false) }

// Switch state machine.
type Machine struct {
	state [2]atomic.Int32
	turn  atomic.Int32
}

func NewMachine(int) *Machine { return new(Machine) } // want: ok
func (l *Machine) Lock(i int) {
	for st := 0; ; {
		switch st {
		case 0:
			l.state[i].Store(1)
			st++
			fallthrough
		case 1:
			l.turn.Store(int32(i))
			st = 2
		case 2:
			if l.state[1-i].Load() == 0 || l.turn.Load() != int32(i) {
				return
			}
		default:
			panic("no such state")
		}
	}
}
func (l *Machine) Unlock(i int) { l.state[i].Store(0) }

// Recursion of tournament nodes.
type tree struct {
	left, right *tree
	flag        [2]atomic.Bool
	turn        atomic.Int32
}
type Tree struct {
	root *tree
	n    int
}

func build(n int) *tree {
	if n < 2 {
		return nil
	}
	return &tree{left: build((n + 1) / 2), right: build(n / 2)}
}
func NewTree(n int) *Tree { return &Tree{build(n), n} } // want: ok
func (t *tree) lock(i, n int) {
	if t == nil {
		return
	}
	side := 0
	if h := (n + 1) / 2; i < h {
		t.left.lock(i, h)
	} else {
		side = 1
		t.right.lock(i-h, n-h)
	}
	t.flag[side].Store(true)
	t.turn.Store(int32(side))
	for t.flag[1-side].Load() && t.turn.Load() == int32(side) {
	}
}
func (t *tree) unlock(i, n int) {
	if t == nil {
		return
	}
	h := (n + 1) / 2
	if i < h {
		t.flag[0].Store(false)
		t.left.unlock(i, h)
		return
	}
	t.flag[1].Store(false)
	t.right.unlock(i-h, n-h)
}
func (l *Tree) Lock(i int)   { l.root.lock(i, l.n) }
func (l *Tree) Unlock(i int) { l.root.unlock(i, l.n) }

// Embedded struct, shadowed method.
type baseLock struct{ b atomic.Bool }

func (l *baseLock) Lock(int) {
	for l.b.Swap(true) {
	}
}
func (l *baseLock) Unlock(int) { l.b.Store(false) }

type Embed struct{ baseLock }

func NewEmbed(int) Embed2         { return Embed2{&Embed{}} } // want: !sf
func NewEmbedForget(int) *Forgets { return &Forgets{} }       // want: !me !sf

type Embed2 struct{ *Embed }
type Forgets struct{ Embed }

func (l *Forgets) Unlock(i int) {
	l.Embed.Unlock(i)
	l.baseLock.b.Store(false)
	l.b.CompareAndSwap(true, false)
}

// Array of structs, ranged by value (copied) is a race and reads stale.
type slot struct{ want, in atomic.Bool }
type Slots struct{ s [2]slot }

func NewSlots(int) *Slots { return new(Slots) } // want: !dl !sf
func (l *Slots) Lock(i int) {
	l.s[i].want.Store(true)
	for j := range l.s {
		if j == i {
			continue
		}
		for l.s[j].want.Load() {
		}
	}
	l.s[i].in.Store(true)
}
func (l *Slots) Unlock(i int) { l.s[i].in.Store(false); l.s[i].want.Store(false) }

// Select-free channel-like: linked list queue of waiters, pushed by Swap, CLH order.
type waiter struct{ done atomic.Bool }
type List struct {
	last atomic.Pointer[waiter]
	mine map[int]**waiter
}

func NewList(n int) *List { // want: ok
	l := &List{mine: make(map[int]**waiter)}
	for i := range n {
		l.mine[i] = new(*waiter)
	}
	l.last.Store(&waiter{})
	l.last.Load().done.Store(true)
	return l
}
func (l *List) Lock(i int) {
	w := &waiter{}
	*l.mine[i] = w
	for p := l.last.Swap(w); !p.done.Load(); {
	}
}
func (l *List) Unlock(i int) { (*l.mine[i]).done.Store(true) }

// The same, done too early.
type ListEarly struct{ *List }

func NewListEarly(n int) ListEarly { return ListEarly{NewList(n)} } // want: !me
func (l ListEarly) Lock(i int) {
	w := &waiter{}
	*l.mine[i] = w
	p := l.last.Swap(w)
	for !p.done.Load() {
	}
	p.done.Store(false)
	w.done.Store(true)
}
