package constructs

// CallArguments takes arguments from left to right.
type CallArguments struct{ x, y int }

func NewCallArguments(int) *CallArguments { return &CallArguments{x: 1, y: 2} }

func difference(a, b int) int { return a - b }

// Lock makes these accesses:
//
//	y = 2, x = 1, x := 1
func (l *CallArguments) Lock(int) {
	l.x = difference(l.y, l.x)
}

func (l *CallArguments) Unlock(int) {}
