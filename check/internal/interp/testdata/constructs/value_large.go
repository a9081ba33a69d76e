package constructs

// ValueLarge uses a zero value of more words than are kept.
type ValueLarge struct{ i any }

func NewValueLarge(int) *ValueLarge { return &ValueLarge{} }

func (l *ValueLarge) Lock(int) {
	l.i = [1 << 25]int{} // refused: uses a value of more than 16777216 words
}

func (l *ValueLarge) Unlock(int) {}
