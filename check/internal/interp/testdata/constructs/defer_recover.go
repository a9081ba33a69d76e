package constructs

// DeferRecover defers a call that recovers.
type DeferRecover struct{ x int }

func NewDeferRecover(int) *DeferRecover { return &DeferRecover{} }

// Lock makes these accesses:
//
//	x := 1
func (l *DeferRecover) Lock(int) {
	l.x = 1
	defer func() { // refused: defers a call that recovers from panics
		recover()
	}()
}

func (l *DeferRecover) Unlock(int) {}
