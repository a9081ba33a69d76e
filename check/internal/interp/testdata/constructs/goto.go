package constructs

// Goto jumps.
type Goto struct{ x int }

func NewGoto(int) *Goto { return &Goto{} }

// Lock makes these accesses:
//
//	x := 0, x = 0, x := 1, x = 1, x = 1, x := 2, x = 2
func (l *Goto) Lock(int) {
	l.x = 0
again:
	l.x++
	if l.x < 2 {
		goto again
	}
}

func (l *Goto) Unlock(int) {}
