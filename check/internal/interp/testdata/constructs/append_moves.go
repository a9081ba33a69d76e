package constructs

// AppendMoves moves to another array where there is none.
type AppendMoves struct {
	a [1]int
	x int
}

func NewAppendMoves(int) *AppendMoves { return &AppendMoves{a: [1]int{3}} }

// Lock makes these accesses:
//
//	a[0] = 3, x := 95
func (l *AppendMoves) Lock(int) {
	s := append(l.a[:], 5)
	s[0] = 9
	l.x = s[0]*10 + s[1]
}

func (l *AppendMoves) Unlock(int) {}
