package traps

// Shifts shifts by a negative number.
type Shifts struct {
	TAS
	by int
}

// NewShifts returns a Shifts.
func NewShifts(int) *Shifts { return &Shifts{by: -1} }

func (l *Shifts) Lock(i int) {
	l.TAS.Lock(i)
	_ = 1 << l.by
}

// Short turns a slice into an array that is longer.
type Short struct {
	TAS
	words []int
}

// NewShort returns a Short.
func NewShort(int) *Short { return &Short{words: make([]int, 1, 4)} }

func (l *Short) Lock(i int) {
	if [2]int(l.words)[0] == 0 {
		l.TAS.Lock(i)
	}
}

// Compares compares what cannot be compared.
type Compares struct {
	TAS
	a, b any
}

// NewCompares returns a Compares.
func NewCompares(int) *Compares { return &Compares{a: []int{1}, b: []int{1}} }

// NewComparesDeep hides it in a struct.
func NewComparesDeep(int) *Compares {
	return &Compares{a: struct{ x any }{func() {}}, b: struct{ x any }{func() {}}}
}

func (l *Compares) Lock(i int) {
	if l.a != l.b {
		return
	}
	l.TAS.Lock(i)
}

// Recurses calls itself without end.
type Recurses struct{ TAS }

// NewRecurses returns a Recurses.
func NewRecurses(int) *Recurses { return new(Recurses) }

func (l *Recurses) Lock(i int) { l.Lock(i) }

// Descends calls itself without end, and writes each time.
type Descends struct{ TAS }

// NewDescends returns a Descends.
func NewDescends(int) *Descends { return new(Descends) }

func (l *Descends) Lock(i int) {
	l.TAS.Lock(i)
	l.TAS.Unlock(i)
	l.Lock(i)
}

// Deep calls itself 5,000 times.
type Deep struct{ TAS }

// NewDeep returns a Deep.
func NewDeep(int) *Deep { return new(Deep) }

func (l *Deep) Lock(i int) {
	if depth(5000) > 0 {
		l.TAS.Lock(i)
	}
}

func depth(n int) int {
	if n == 0 {
		return 0
	}
	return depth(n-1) + 1
}
