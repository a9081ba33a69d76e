package constructs

// InterfaceCall calls the method of what is in an interface.
type InterfaceCall struct {
	s [2]shape
	x int
}

func NewInterfaceCall(int) *InterfaceCall {
	return &InterfaceCall{s: [2]shape{square(3), &box{w: 2, h: 5}}}
}

type shape interface{ area() int }

type square int

func (s square) area() int { return int(s * s) }

type box struct{ w, h int }

func (b *box) area() int { return b.w * b.h }

// Lock makes these accesses:
//
//	s[0] = 3, x := 9, s[1] = s[1], s[1].w = 2, s[1].h = 5, x := 10
func (l *InterfaceCall) Lock(int) {
	l.x = l.s[0].area()
	l.x = l.s[1].area()
}

func (l *InterfaceCall) Unlock(int) {}
