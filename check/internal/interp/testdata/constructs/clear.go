package constructs

// Clear sets every element to zero.
type Clear struct{ a [2]int }

func NewClear(int) *Clear { return &Clear{a: [2]int{1, 2}} }

// Lock makes these accesses:
//
//	a[0] := 0, a[1] := 0
func (l *Clear) Lock(int) {
	clear(l.a[:])
}

func (l *Clear) Unlock(int) {}
