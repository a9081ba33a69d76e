package constructs

// RangeString ranges over a string.
type RangeString struct{ x int }

func NewRangeString(int) *RangeString { return &RangeString{} }

func (l *RangeString) Lock(int) {
	for i := range "ab" { // refused: ranges over a map or a string
		l.x = i
	}
}

func (l *RangeString) Unlock(int) {}
