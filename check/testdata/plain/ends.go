package plain

// Endless comes to no step.
type Endless struct{}

func NewEndless(n int) *Endless { return new(Endless) }

func (*Endless) Lock(int) {
	for {
	}
}

func (*Endless) Unlock(int) {}

// Later runs forever after its first step.
type Later struct{ guard }

func NewLater(n int) *Later { return new(Later) }

func (l *Later) Lock(int) {
	l.enter()
	for l != nil {
	}
}

func (*Later) Unlock(int) {}

// Recurses calls itself without end.
type Recurses struct{ guard }

func NewRecurses(n int) *Recurses { return new(Recurses) }

func (l *Recurses) Lock(pid int) {
	l.enter()
	l.again(pid)
}

func (l *Recurses) again(pid int) int { return l.again(pid) + 1 }

func (*Recurses) Unlock(int) {}

// Fails dereferences nil after its first step.
type Fails struct {
	guard
	next *Fails
	n    int
}

func NewFails(n int) *Fails { return new(Fails) }

func (l *Fails) Lock(int) {
	l.enter()
	l.n = l.next.n
}

func (l *Fails) Unlock(int) {}
