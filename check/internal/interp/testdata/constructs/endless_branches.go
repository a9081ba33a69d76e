package constructs

// EndlessBranches never ends, by one way or another.
type EndlessBranches struct{ x int }

func NewEndlessBranches(int) *EndlessBranches { return &EndlessBranches{} }

func (l *EndlessBranches) Lock(int) {
	for n := 1; n != 0; {
		if n == 1 {
			n = 2
		} else {
			n = 1 // fails: runs without end and without an access to shared memory
		}
	}
}

func (l *EndlessBranches) Unlock(int) {}
