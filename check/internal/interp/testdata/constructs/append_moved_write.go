package constructs

// AppendMovedWrite writes an element that append may have moved in New.
type AppendMovedWrite struct{ s, t []int }

func NewAppendMovedWrite(int) *AppendMovedWrite {
	s := append([]int{1, 2, 3}, 4)
	return &AppendMovedWrite{s: s, t: append(s, 5)}
}

// Lock makes these accesses:
//
//	s = slice, s[0] := 7
func (l *AppendMovedWrite) Lock(int) {
	l.s[0] = 7 // refused: writes an element that append may or may not have moved
}

func (l *AppendMovedWrite) Unlock(int) {}
