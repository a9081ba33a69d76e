package constructs

// Conversion cuts and extends integers.
type Conversion struct {
	x int
	u uint64
}

func NewConversion(int) *Conversion { return &Conversion{x: -2} }

type color uint8

// Lock makes these accesses:
//
//	x = -2, u := 254, x = -2, u := 18446744073709551614, x = -2, x := -128, x := 7
func (l *Conversion) Lock(int) {
	l.u = uint64(uint8(l.x))
	l.u = uint64(l.x)
	l.x = int(int8(l.x + 130))
	l.x = int(color(7))
}

func (l *Conversion) Unlock(int) {}
