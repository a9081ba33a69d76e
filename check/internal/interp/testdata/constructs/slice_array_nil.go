package constructs

// SliceArrayNil slices an array by a nil pointer.
type SliceArrayNil struct {
	p *[2]int
	x int
}

func NewSliceArrayNil(int) *SliceArrayNil { return &SliceArrayNil{} }

// Lock makes these accesses:
//
//	p = nil
func (l *SliceArrayNil) Lock(int) {
	_ = l.p[:0] // fails: nil pointer dereference
}

func (l *SliceArrayNil) Unlock(int) {}
