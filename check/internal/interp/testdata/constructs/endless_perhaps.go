package constructs

// EndlessPerhaps never ends if what it reads says so.
type EndlessPerhaps struct{ x int }

func NewEndlessPerhaps(int) *EndlessPerhaps { return &EndlessPerhaps{x: 1} }

// Lock makes these accesses:
//
//	x = 1
func (l *EndlessPerhaps) Lock(int) { // fails: runs without end and without an access to shared memory
	if l.x == 1 {
		for {
		}
	}
}

func (l *EndlessPerhaps) Unlock(int) {}
