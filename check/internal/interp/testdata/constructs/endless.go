package constructs

// Endless runs without an access and never ends.
type Endless struct{ x int }

func NewEndless(int) *Endless { return &Endless{} }

func (l *Endless) Lock(int) { // fails: runs without end and without an access to shared memory
	for {
	}
}

func (l *Endless) Unlock(int) {}
