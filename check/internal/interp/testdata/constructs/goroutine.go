package constructs

// Goroutine starts a goroutine.
type Goroutine struct{ x int }

func NewGoroutine(int) *Goroutine { return &Goroutine{} }

func (l *Goroutine) Lock(int) {
	go l.Unlock(0) // refused: starts a goroutine
}

func (l *Goroutine) Unlock(int) {}
