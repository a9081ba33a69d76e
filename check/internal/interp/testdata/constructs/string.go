package constructs

// String compares, adds, indexes and slices.
type String struct {
	s string
	x int
}

func NewString(int) *String { return &String{s: "lock"} }

// Lock makes these accesses:
//
//	s = "lock", s = "lock", s = "lock", x := 4, s = "lock", x := 111, s = "lock", s := "oc"
func (l *String) Lock(int) {
	if l.s+"s" > "lock" && l.s < "log" {
		l.x = len(l.s)
	}
	l.x = int(l.s[1])
	l.s = l.s[1:3]
}

func (l *String) Unlock(int) {}
