package constructs

// InterfaceStruct compares structs in interfaces.
type InterfaceStruct struct {
	v any
	x int
}

func NewInterfaceStruct(int) *InterfaceStruct { return &InterfaceStruct{v: pair{1, 2}} }

// Lock makes these accesses:
//
//	v = [1 2], x := 1, v = [1 2], x := 2, v = [1 2]
func (l *InterfaceStruct) Lock(int) {
	if l.v == any(pair{1, 2}) {
		l.x = 1
	}
	if l.v != any(pair{1, 3}) {
		l.x = 2
	}
	if l.v == any([2]int{1, 2}) {
		l.x = 3
	}
}

func (l *InterfaceStruct) Unlock(int) {}
