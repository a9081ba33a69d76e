package constructs

// Constant computes without bounds, and counts.
type Constant struct {
	x int
	y uint64
}

func NewConstant(int) *Constant { return &Constant{} }

const (
	_ = iota
	_
	third
)

const big = 1 << 64

// Lock makes these accesses:
//
//	x := 6, y := 18446744073709551615
func (l *Constant) Lock(int) {
	l.x = third + big>>62
	l.y = 1<<64 - 1
}

func (l *Constant) Unlock(int) {}
