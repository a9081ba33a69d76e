package constructs

// Clear sets every element to zero.
type Clear struct{ a [2]int }

func NewClear(int) *Clear { return &Clear{a: [2]int{1, 2}} }

func (l *Clear) Lock(int) {
	clear(l.a[:]) // refused: calls clear, which cannot be modelled
}

func (l *Clear) Unlock(int) {}
