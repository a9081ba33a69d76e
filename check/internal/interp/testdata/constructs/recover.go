package constructs

// Recover asks for a panic where there is none.
type Recover struct{ x int }

func NewRecover(int) *Recover { return &Recover{} }

func (l *Recover) Lock(int) {
	if recover() == nil { // refused: calls recover, which cannot be modeled
		l.x = 1
	}
}

func (l *Recover) Unlock(int) {}
