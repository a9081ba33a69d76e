package machines

import "sync/atomic"

// Each of these has a number n, and a number m. The first ones do nothing that
// depends on n but to compute n and m, the others do.

type Adds struct{ n, m int }

func NewAdds(int) *Adds    { return &Adds{} }
func (l *Adds) Lock(int)   { l.n++; l.m = l.n }
func (l *Adds) Unlock(int) {}

type Computes struct {
	n int
	m uint8
}

func NewComputes(int) *Computes { return &Computes{} }
func (l *Computes) Lock(int)    { l.n = (min(l.n, 7)*3 - 5) / 2; l.m = ^uint8(-l.n) << 2 }
func (l *Computes) Unlock(int)  {}

type Compares struct {
	n int
	m bool
}

func NewCompares(int) *Compares { return &Compares{} }
func (l *Compares) Lock(int)    { l.m = !(l.n == 3); l.n++ }
func (l *Compares) Unlock(int)  {}

type AddsAtomically struct{ n, m atomic.Int32 }

func NewAddsAtomically(int) *AddsAtomically { return &AddsAtomically{} }
func (l *AddsAtomically) Lock(int)          { l.m.Store(l.n.Add(1)) }
func (l *AddsAtomically) Unlock(int)        {}

type Branches struct{ n, m int }

func NewBranches(int) *Branches { return &Branches{} }
func (l *Branches) Lock(int) {
	if l.n++; l.n > 5 {
		l.m = 1
	}
}
func (l *Branches) Unlock(int) {}

type Indexes struct {
	n, m int
	a    [3]int
}

func NewIndexes(int) *Indexes { return &Indexes{} }
func (l *Indexes) Lock(int)   { l.n++; l.m = l.a[l.n] }
func (l *Indexes) Unlock(int) {}

type Divides struct{ n, m int }

func NewDivides(int) *Divides { return &Divides{n: 1} }
func (l *Divides) Lock(int)   { l.n++; l.m = 7 / l.n }
func (l *Divides) Unlock(int) {}

type DividesByZero struct{ n, m, z int }

func NewDividesByZero(int) *DividesByZero { return &DividesByZero{n: 1} }
func (l *DividesByZero) Lock(int)         { l.n++; l.m = l.n / l.z }
func (l *DividesByZero) Unlock(int)       {}

type Shifts struct{ n, m int }

func NewShifts(int) *Shifts  { return &Shifts{} }
func (l *Shifts) Lock(int)   { l.n++; l.m = 1 << l.n }
func (l *Shifts) Unlock(int) {}

type Slices struct {
	n, m int
	a    [3]int
}

func NewSlices(int) *Slices  { return &Slices{} }
func (l *Slices) Lock(int)   { l.n++; l.m = len(l.a[l.n:]) }
func (l *Slices) Unlock(int) {}

type Makes struct{ n, m int }

func NewMakes(int) *Makes   { return &Makes{} }
func (l *Makes) Lock(int)   { l.n++; l.m = len(make([]int, l.n)) }
func (l *Makes) Unlock(int) {}

type Stores struct{ n, m, k int }

func NewStores(int) *Stores  { return &Stores{} }
func (l *Stores) Lock(int)   { l.n++; l.k = l.n }
func (l *Stores) Unlock(int) {}

type Boxes struct {
	n, m int
	v    any
}

func NewBoxes(int) *Boxes   { return &Boxes{} }
func (l *Boxes) Lock(int)   { l.n++; l.v = l.n }
func (l *Boxes) Unlock(int) {}

type Publishes struct {
	n, m int
	w    atomic.Int64
}

func NewPublishes(int) *Publishes { return &Publishes{} }
func (l *Publishes) Lock(int)     { l.n++; l.w.Store(int64(l.n)) }
func (l *Publishes) Unlock(int)   {}

type Swaps struct{ n, m atomic.Int32 }

func NewSwaps(int) *Swaps   { return &Swaps{} }
func (l *Swaps) Lock(int)   { l.n.CompareAndSwap(0, 1) }
func (l *Swaps) Unlock(int) {}

type SwapsOld struct {
	n, m int32
	w    atomic.Int32
}

func NewSwapsOld(int) *SwapsOld { return &SwapsOld{} }
func (l *SwapsOld) Lock(int)    { l.n++; l.w.CompareAndSwap(l.n, 1) }
func (l *SwapsOld) Unlock(int)  {}

type LooksUp struct{ n, m int }

func NewLooksUp(int) *LooksUp { return &LooksUp{} }
func (l *LooksUp) Lock(int)   { l.n++; l.m = table[l.n] }
func (l *LooksUp) Unlock(int) {}

type Hands struct {
	n, m int
	w    atomic.Pointer[int]
}

func NewHands(int) *Hands { return &Hands{} }
func (l *Hands) Lock(int) {
	l.n++
	k := l.n
	l.w.Store(&k)
}
func (l *Hands) Unlock(int) {}

type OwnWord struct{ n, m int }

func NewOwnWord(int) *OwnWord { return &OwnWord{} }
func (l *OwnWord) Lock(int) {
	l.n++
	w := new(atomic.Int64)
	w.Store(int64(l.n))
	l.m = int(w.Load())
}
func (l *OwnWord) Unlock(int) {}

type OwnSum struct{ n, m int }

func NewOwnSum(int) *OwnSum { return &OwnSum{} }
func (l *OwnSum) Lock(int) {
	l.n++
	w := new(atomic.Int64)
	w.Add(int64(l.n))
}
func (l *OwnSum) Unlock(int) {}
