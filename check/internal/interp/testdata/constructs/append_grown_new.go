package constructs

// AppendGrownNew appends to a slice that append has grown before the lock was built.
type AppendGrownNew struct {
	s []int
	x int
}

func NewAppendGrownNew(int) *AppendGrownNew { return &AppendGrownNew{s: append([]int{1}, 2)} }

// Lock makes these accesses:
//
//	s = slice, s[1] := 3, x := 2, s = slice, s[1] = 3, x := 3, s = slice
func (l *AppendGrownNew) Lock(int) {
	l.x = len(append(l.s[:1], 3))
	l.x = l.s[1]
	l.x = len(append(l.s, 3)) // refused: appends to a slice that append has grown in New: whether it has room is up to the runtime
}

func (l *AppendGrownNew) Unlock(int) {}
