package constructs

// Variadic hands over a slice.
type Variadic struct {
	x int
	s []int
}

func NewVariadic(int) *Variadic { return &Variadic{s: []int{4, 5}} }

func total(all ...int) (sum int) {
	for _, n := range all {
		sum += n
	}
	return sum
}

// Lock makes these accesses:
//
//	x := 0, x := 3, s = slice, s[0] = 4, s[1] = 5, x := 9
func (l *Variadic) Lock(int) {
	l.x = total()
	l.x = total(1, 2)
	l.x = total(l.s...)
}

func (l *Variadic) Unlock(int) {}
