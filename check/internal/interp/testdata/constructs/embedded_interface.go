package constructs

// EmbeddedInterface promotes the methods of what is in it.
type EmbeddedInterface struct {
	putter
	y int
}

func NewEmbeddedInterface(int) *EmbeddedInterface { return &EmbeddedInterface{new(cell), 0} }

type putter interface {
	put(int)
	get() int
}

type cell struct{ x int }

func (c *cell) put(n int) { c.x = n }

func (c *cell) get() int { return c.x }

// Lock makes these accesses:
//
//	putter = x, x := 5, putter = x, x = 5, y := 5
func (l *EmbeddedInterface) Lock(int) {
	l.put(5)
	l.y = l.putter.get()
}

func (l *EmbeddedInterface) Unlock(int) {}
