package constructs

// ForEver is left by a break.
type ForEver struct{ x int }

func NewForEver(int) *ForEver { return &ForEver{} }

// Lock makes these accesses:
//
//	x := 0, x = 0, x := 1, x = 1, x = 1, x := 2, x = 2
func (l *ForEver) Lock(int) {
	l.x = 0
	for {
		l.x++
		if l.x == 2 {
			break
		}
	}
}

func (l *ForEver) Unlock(int) {}
