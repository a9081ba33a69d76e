package constructs

// MethodExpression takes the receiver as its first argument.
type MethodExpression struct{ x, y int }

func NewMethodExpression(int) *MethodExpression { return &MethodExpression{x: 1} }

type meters int

func (m meters) double() meters { return 2 * m }

func (l *MethodExpression) add(n int) { l.x += n }

// Lock makes these accesses:
//
//	x = 1, x := 8, y := 8
func (l *MethodExpression) Lock(int) {
	f := (*MethodExpression).add
	f(l, 7)
	g := meters.double
	l.y = int(g(4))
}

func (l *MethodExpression) Unlock(int) {}
