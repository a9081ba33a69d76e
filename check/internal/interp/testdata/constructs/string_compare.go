package constructs

// StringCompare compares strings by their bytes.
type StringCompare struct {
	s string
	x int
}

func NewStringCompare(int) *StringCompare { return &StringCompare{s: "ab"} }

// Lock makes these accesses:
//
//	s = "ab", s = "ab", s = "ab", s = "ab", s = "ab", x := 1
//	s = "ab", s = "ab", s = "ab", s = "ab"
//	s = "ab", s = "ab", x := 3
func (l *StringCompare) Lock(int) {
	if l.s < "b" && l.s <= "ab" && l.s >= "a" && l.s >= "ab" && l.s > "a" {
		l.x = 1
	}
	if l.s < "ab" || l.s <= "a" || l.s >= "b" || l.s > "ab" {
		l.x = 2
	}
	if l.s+"c" == "abc" && l.s != "abc" {
		l.x = 3
	}
}

func (l *StringCompare) Unlock(int) {}
