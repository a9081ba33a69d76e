package constructs

// Global is a variable of the package, which is initialized once, in the order of what it needs.
type Global struct{ x int }

func NewGlobal(int) *Global { return &Global{} }

var (
	second = first + 1
	first  = ten()
)

func ten() int { return 10 }

// Lock makes these accesses:
//
//	second = 11, x := 11, first = 10, first := 11
func (l *Global) Lock(int) {
	l.x = second
	first++
}

func (l *Global) Unlock(int) {}
