package constructs

// Declare declares variables with and without a value.
type Declare struct{ x int }

func NewDeclare(int) *Declare { return &Declare{} }

// Lock makes these accesses:
//
//	x := 30
func (l *Declare) Lock(int) {
	var (
		zero int
		two  = 2
		a, b = two + 1, zero
	)
	l.x = a*10 + b
}

func (l *Declare) Unlock(int) {}
