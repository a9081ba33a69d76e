package constructs

// NilCompare compares with nil.
type NilCompare struct {
	s []int
	f func() int
	x int
}

func NewNilCompare(int) *NilCompare { return &NilCompare{f: func() int { return 6 }} }

// Lock makes these accesses:
//
//	s = slice, x := 1, f = func, f = func, x := 6, x := 2, x := 3
func (l *NilCompare) Lock(int) {
	if l.s == nil {
		l.x = 1
	}
	if l.f != nil {
		l.x = l.f()
	}
	s := make([]int, 0)
	if s != nil {
		l.x = 2
	}
	var f func()
	if f == nil {
		l.x = 3
	}
}

func (l *NilCompare) Unlock(int) {}
