package constructs

// StructCompare compares field by field, blank ones aside.
type StructCompare struct {
	p pairing
	z int
}

func NewStructCompare(int) *StructCompare { return &StructCompare{p: pairing{x: 1, y: 2}} }

type pairing struct {
	x int
	_ int
	y int
}

// Lock makes these accesses:
//
//	p.x = 1, p.y = 2, z := 1, p.x = 1, p.y = 2, z := 2
func (l *StructCompare) Lock(int) {
	if l.p == (pairing{x: 1, y: 2}) {
		l.z = 1
	}
	if l.p != (pairing{x: 1, y: 3}) {
		l.z = 2
	}
}

func (l *StructCompare) Unlock(int) {}
