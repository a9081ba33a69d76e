package constructs

// Blank reads what it assigns to nothing.
type Blank struct{ x int }

func NewBlank(int) *Blank { return &Blank{x: 2} }

// Lock makes these accesses:
//
//	x = 2
func (l *Blank) Lock(int) {
	_ = l.x
}

func (l *Blank) Unlock(int) {}
