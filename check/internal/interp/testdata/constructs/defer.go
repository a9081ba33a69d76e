package constructs

// Defer calls functions at the end, the last one first, with arguments as they
// were.
type Defer struct{ x int }

func NewDefer(int) *Defer { return &Defer{} }

func (l *Defer) end(x int) { l.x = x }

// Lock makes these accesses:
//
//	x := 0, x := 4, x := 3, x := 1
func (l *Defer) Lock(int) {
	y := 1
	defer l.end(y)
	defer func() { l.end(y) }()
	y = 2
	if y > 1 {
		defer l.end(y + 2)
	}
	l.x = 0
	y++
}

func (l *Defer) Unlock(int) {}
