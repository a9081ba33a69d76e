package constructs

// EmbeddedValue promotes the fields and methods of what it embeds.
type EmbeddedValue struct {
	y int
	base
}

func NewEmbeddedValue(int) *EmbeddedValue { return &EmbeddedValue{y: 4} }

type base struct{ x int }

func (b *base) add(n int) { b.x += n }

// Lock makes these accesses:
//
//	y = 4, x := 4, x = 4, x := 7, x = 7, x := 8
func (l *EmbeddedValue) Lock(int) {
	l.x = l.y
	l.add(3)
	l.base.add(1)
}

func (l *EmbeddedValue) Unlock(int) {}
