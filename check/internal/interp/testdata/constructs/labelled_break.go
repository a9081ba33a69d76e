package constructs

// LabelledBreak leaves the loop of its label.
type LabelledBreak struct{ x int }

func NewLabelledBreak(int) *LabelledBreak { return &LabelledBreak{} }

// Lock makes these accesses:
//
//	x := 0, x := 10
func (l *LabelledBreak) Lock(int) {
outer:
	for i := range 3 {
		for j := range 3 {
			if j == 1 {
				continue outer
			}
			if i == 2 {
				break outer
			}
			l.x = 10*i + j
		}
	}
}

func (l *LabelledBreak) Unlock(int) {}
