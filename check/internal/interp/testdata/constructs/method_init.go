package constructs

// MethodInit calls a method that is named as the functions are that initialize
// a package.
type MethodInit struct{ x int }

func NewMethodInit(int) *MethodInit {
	l := new(MethodInit)
	l.init(3)
	return l
}

func (l *MethodInit) init(by int) { l.x += by }

// Lock makes these accesses:
//
//	x = 3, x := 7
func (l *MethodInit) Lock(int) {
	l.init(4)
}

func (l *MethodInit) Unlock(int) {}
