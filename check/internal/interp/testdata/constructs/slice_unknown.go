package constructs

import "strconv"

// SliceUnknown slices at an index that is not known.
type SliceUnknown struct {
	at int
	a  [4]int
}

func NewSliceUnknown(int) *SliceUnknown {
	at, _ := strconv.Atoi("2")
	return &SliceUnknown{at: at}
}

// Lock makes these accesses:
//
//	at = unknown
func (l *SliceUnknown) Lock(int) {
	clear(l.a[:l.at]) // refused: slices at an unknown index
}

func (l *SliceUnknown) Unlock(int) {}
