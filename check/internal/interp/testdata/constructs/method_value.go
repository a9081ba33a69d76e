package constructs

// MethodValue binds the receiver when it is taken.
type MethodValue struct {
	x, y int
	at   *int
}

func NewMethodValue(int) *MethodValue { return &MethodValue{x: 1} }

type counted int

func (c counted) plus(n int) int { return int(c) + n }

func (l *MethodValue) add(n int) { l.x += n }

// Lock makes these accesses:
//
//	x = 1, x := 5, y := 11, x = 5, x := 12
func (l *MethodValue) Lock(int) {
	f := counted(l.x).plus
	l.x = 5
	l.y = f(10)
	g := l.add
	g(7)
}

func (l *MethodValue) Unlock(int) {}
