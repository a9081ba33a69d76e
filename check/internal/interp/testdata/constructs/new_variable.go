package constructs

// NewVariable makes variables of its own.
type NewVariable struct{ x int }

func NewNewVariable(int) *NewVariable { return &NewVariable{} }

// Lock makes these accesses:
//
//	x := 6
func (l *NewVariable) Lock(int) {
	p := new(int)
	*p += 3
	q := p
	*q *= 2
	l.x = *p
}

func (l *NewVariable) Unlock(int) {}
