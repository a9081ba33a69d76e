package constructs

// EmbeddedPointer promotes through a pointer.
type EmbeddedPointer struct {
	*linked
	y int
}

func NewEmbeddedPointer(int) *EmbeddedPointer { return &EmbeddedPointer{&linked{x: 2}, 0} }

type linked struct{ x int }

func (p *linked) put(n int) { p.x = n }

// Lock makes these accesses:
//
//	embedded = x, x = 2, y := 2, embedded = x, x := 5
func (l *EmbeddedPointer) Lock(int) {
	l.y = l.x
	l.put(5)
}

func (l *EmbeddedPointer) Unlock(int) {}
