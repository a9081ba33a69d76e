package constructs

// AddressEmpty compares addresses of variables without size.
type AddressEmpty struct {
	p, q *struct{}
	x    int
}

func NewAddressEmpty(int) *AddressEmpty { return &AddressEmpty{p: new(struct{}), q: new(struct{})} }

// Lock makes these accesses:
//
//	p = p, p = p, x := 1, q = q
func (l *AddressEmpty) Lock(int) {
	p := l.p
	if p != nil && p == l.p {
		l.x = 1
	}
	if p == l.q { // refused: compares the addresses of two variables without size, which may or may not be equal
		l.x = 2
	}
}

func (l *AddressEmpty) Unlock(int) {}
