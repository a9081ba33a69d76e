package constructs

// DeferInterfaceNil defers a call through a nil interface.
type DeferInterfaceNil struct{ s shape }

func NewDeferInterfaceNil(int) *DeferInterfaceNil { return &DeferInterfaceNil{} }

// Lock makes these accesses:
//
//	s = nil
func (l *DeferInterfaceNil) Lock(int) {
	defer l.s.area() // fails: defers a call of area on a nil interface
}

func (l *DeferInterfaceNil) Unlock(int) {}
