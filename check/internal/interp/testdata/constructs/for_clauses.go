package constructs

// ForClauses counts.
type ForClauses struct{ x int }

func NewForClauses(int) *ForClauses { return &ForClauses{} }

// Lock makes these accesses:
//
//	x := 0, x := 1, x := 2
func (l *ForClauses) Lock(int) {
	for i := 0; i < 3; i++ {
		l.x = i
	}
}

func (l *ForClauses) Unlock(int) {}
