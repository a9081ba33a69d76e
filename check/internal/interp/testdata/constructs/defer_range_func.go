package constructs

// DeferRangeFunc defers a call from the body of a loop over a function.
type DeferRangeFunc struct{ x int }

func NewDeferRangeFunc(int) *DeferRangeFunc { return &DeferRangeFunc{} }

func (l *DeferRangeFunc) Lock(int) { // refused: defers a call from the body of a loop over a function
	for i := range upTo(2) {
		defer func() { l.x = i }()
	}
}

func (l *DeferRangeFunc) Unlock(int) {}
