package constructs

import (
	"cmp"
	"math/bits"
)

// Bits calls what is interpreted of the standard library.
type Bits struct {
	x uint
	y int
}

func NewBits(int) *Bits { return &Bits{x: 40} }

// Lock makes these accesses:
//
//	x = 40, y := 3, x = 40, y := 5
func (l *Bits) Lock(int) {
	l.y = bits.TrailingZeros(l.x)
	l.y = bits.Len(l.x) + cmp.Compare(1, 2)
}

func (l *Bits) Unlock(int) {}
