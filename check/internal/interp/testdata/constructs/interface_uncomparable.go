package constructs

// InterfaceUncomparable compares what is in interfaces and cannot be compared.
type InterfaceUncomparable struct{ x int }

func NewInterfaceUncomparable(int) *InterfaceUncomparable { return &InterfaceUncomparable{} }

// Lock makes these accesses:
//
//	x := 1
func (l *InterfaceUncomparable) Lock(int) {
	var v, w any = []int{1}, 2
	if v != w {
		l.x = 1
	}
	w = v
	if v == w { // fails: comparing uncomparable type []int
		l.x = 2
	}
}

func (l *InterfaceUncomparable) Unlock(int) {}
