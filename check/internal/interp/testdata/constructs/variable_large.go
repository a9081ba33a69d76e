package constructs

// VariableLarge allocates more words than are kept.
type VariableLarge struct{ p *[1 << 27]int }

func NewVariableLarge(int) *VariableLarge { return &VariableLarge{} }

func (l *VariableLarge) Lock(int) {
	l.p = new([1 << 27]int) // refused: allocates more than 16777216 words of memory
}

func (l *VariableLarge) Unlock(int) {}
