package constructs

// Defer calls a function at the end.
type Defer struct{ x int }

func NewDefer(int) *Defer { return &Defer{} }

func (l *Defer) end() { l.x = 1 }

func (l *Defer) Lock(int) {
	defer l.end() // refused: defers a call
}

func (l *Defer) Unlock(int) {}
