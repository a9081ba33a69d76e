package constructs

// Define declares variables, in inner blocks other ones of the same name.
type Define struct{ x int }

func NewDefine(int) *Define { return &Define{x: 2} }

// Lock makes these accesses:
//
//	x = 2, x := 12, x := 2
func (l *Define) Lock(int) {
	x, y := l.x, 10
	{
		x := x + y
		l.x = x
	}
	l.x = x
}

func (l *Define) Unlock(int) {}
