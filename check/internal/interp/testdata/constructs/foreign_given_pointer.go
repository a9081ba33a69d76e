package constructs

import "fmt"

// ForeignGivenPointer uses what a function was given the address of.
type ForeignGivenPointer struct{ n, m int }

func NewForeignGivenPointer(int) *ForeignGivenPointer {
	l := &ForeignGivenPointer{m: 3}
	m := &ForeignGivenPointer{n: 4}
	fmt.Sscan("5", &l.n)
	_ = fmt.Sprint(m)
	l.m = m.n
	return l
}

// Lock makes these accesses:
//
//	m = 4, m := 5, n = unknown, m = 5
func (l *ForeignGivenPointer) Lock(int) {
	l.m++
	l.m += l.n // refused: uses memory that fmt.Sscan was given, which cannot be modeled
}

func (l *ForeignGivenPointer) Unlock(int) {}
