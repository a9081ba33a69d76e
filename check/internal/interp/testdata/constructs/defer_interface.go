package constructs

// DeferInterface defers calls through an interface, and of builtin functions.
type DeferInterface struct {
	a [2]int
	s shape
	x int
}

func NewDeferInterface(int) *DeferInterface { return &DeferInterface{a: [2]int{1, 2}, s: &box{2, 3}} }

// Lock makes these accesses:
//
//	s = s, s := 3, a[1] = 2, x := 2, a[0] := 0, a[1] := 0, s.w = 2, s.h = 3
func (l *DeferInterface) Lock(int) {
	defer l.s.area()
	defer clear(l.a[:])
	l.s = square(3)
	l.x = l.a[1]
}

func (l *DeferInterface) Unlock(int) {}
