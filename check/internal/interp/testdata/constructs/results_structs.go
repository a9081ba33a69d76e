package constructs

// ResultsStructs gives several results. Some of them are structs.
type ResultsStructs struct{ x int }

func NewResultsStructs(int) *ResultsStructs { return &ResultsStructs{} }

func four() (pair, int, pair, int) { return pair{1, 2}, 3, pair{4, 5}, 6 }

// Lock makes these accesses:
//
//	x := 12, x := 3, x := 45, x := 6
func (l *ResultsStructs) Lock(int) {
	p, n, q, k := four()
	l.x = p.a*10 + p.b
	l.x = n
	l.x = q.a*10 + q.b
	l.x = k
}

func (l *ResultsStructs) Unlock(int) {}
