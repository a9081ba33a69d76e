package constructs

// ResultsNamed returns what its results hold.
type ResultsNamed struct{ x, y int }

func NewResultsNamed(int) *ResultsNamed { return &ResultsNamed{} }

func half(n int) (whole, rest int) {
	whole = n / 2
	rest = n % 2
	return
}

// Lock makes these accesses:
//
//	x := 3, y := 1
func (l *ResultsNamed) Lock(int) {
	l.x, l.y = half(7)
}

func (l *ResultsNamed) Unlock(int) {}
