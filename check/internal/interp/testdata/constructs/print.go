package constructs

// Print says something.
type Print struct{ x int }

func NewPrint(int) *Print { return &Print{} }

// Lock makes these accesses:
//
//	x = 0
func (l *Print) Lock(int) {
	println(l.x) // refused: calls println, which cannot be modeled
}

func (l *Print) Unlock(int) {}
