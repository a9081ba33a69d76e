package constructs

// ForVariables has a variable for each turn.
type ForVariables struct{ x int }

func NewForVariables(int) *ForVariables { return &ForVariables{} }

// Lock makes these accesses:
//
//	x := 0, x := 1
func (l *ForVariables) Lock(int) {
	var fs [2]func() int
	for i := 0; i < 2; i++ {
		fs[i] = func() int { return i }
	}
	l.x = fs[0]()
	l.x = fs[1]()
}

func (l *ForVariables) Unlock(int) {}
