package constructs

// EmbeddedPart promotes through a struct that is embedded by value. No other field of the
// struct around it is read.
type EmbeddedPart struct {
	around struct {
		y [2]int
		within
		z int
	}
	w int
}

type within struct {
	v int
	*linked
	giver
}

type giver interface{ give() int }

type three struct{}

func (three) give() int { return 3 }

func (w within) sum() int { return w.v }

func NewEmbeddedPart(int) *EmbeddedPart {
	l := new(EmbeddedPart)
	l.around.linked, l.around.giver = &linked{x: 2}, three{}
	return l
}

// Lock makes these accesses:
//
//	around = around, around.x = 2, w := 2, around = around, around.x := 5,
//	around = [], w := 3,
//	around.v = 0, around = around, around = [], w := 0,
//	around.y[0] = 0, around.y[1] = 0, around.v = 0, around = around, around = [], around.z = 0,
//	w := 3
func (l *EmbeddedPart) Lock(int) {
	l.w = l.around.x
	l.around.put(5)
	l.w = l.around.give()
	l.w = l.around.sum()
	all := l.around
	l.w = all.give()
}

func (l *EmbeddedPart) Unlock(int) {}
