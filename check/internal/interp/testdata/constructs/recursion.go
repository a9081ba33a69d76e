package constructs

// Recursion calls itself.
type Recursion struct{ x int }

func NewRecursion(int) *Recursion { return &Recursion{} }

// Lock makes these accesses:
//
//	x := 3, x := 2, x := 1, x := 6
func (l *Recursion) Lock(int) {
	var sum func(n int) int
	sum = func(n int) int {
		if n == 0 {
			return 0
		}
		l.x = n
		return n + sum(n-1)
	}
	l.x = sum(3)
}

func (l *Recursion) Unlock(int) {}
