package constructs

// EndlessAllocates never ends, and allocates all the time.
type EndlessAllocates struct{ x int }

func NewEndlessAllocates(int) *EndlessAllocates { return &EndlessAllocates{} }

func (l *EndlessAllocates) Lock(int) {
	n := &node{}
	for n.v == 0 { // fails: runs without end and without an access to shared memory
		n = &node{next: n.next}
	}
}

func (l *EndlessAllocates) Unlock(int) {}
