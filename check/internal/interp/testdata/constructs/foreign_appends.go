package constructs

import "strconv"

// ForeignAppends uses what was given to a function that writes to it.
type ForeignAppends struct {
	b []byte
	n int
	x int
}

func NewForeignAppends(int) *ForeignAppends {
	l := &ForeignAppends{b: []byte("ab"), n: 3}
	_ = strconv.AppendInt(l.b[:0], 7, 10)
	return l
}

// Lock makes these accesses:
//
//	n = 3, x := 3, b = slice, b[0] = unknown
func (l *ForeignAppends) Lock(int) {
	l.x = l.n
	l.x += int(l.b[0]) // refused: uses memory that strconv.AppendInt was given, which cannot be modeled
}

func (l *ForeignAppends) Unlock(int) {}
