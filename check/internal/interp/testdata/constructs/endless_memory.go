package constructs

// EndlessMemory never ends, and writes to memory of its own.
type EndlessMemory struct{ x int }

func NewEndlessMemory(int) *EndlessMemory { return &EndlessMemory{} }

func (l *EndlessMemory) Lock(int) {
	p := &pair{a: 1}
	for p.a != 3 { // fails: runs without end and without an access to shared memory
		p.a, p.b = p.b, p.a
	}
}

func (l *EndlessMemory) Unlock(int) {}
