package constructs

// TypeSwitch asks for the type in an interface.
type TypeSwitch struct {
	v [4]any
	x int
}

func NewTypeSwitch(int) *TypeSwitch { return &TypeSwitch{v: [4]any{7, uint8(8), "nine"}} }

// Lock makes these accesses:
//
//	v[0] = 7, x := 7
//	v[1] = 8, x := 100
//	v[2] = "nine", x := 400
//	v[3] = nil, x := 300
func (l *TypeSwitch) Lock(int) {
	for _, v := range &l.v {
		switch v := v.(type) {
		case int:
			l.x = v
		case uint8, uint16:
			l.x = 100
		case interface{ Lock(int) }:
			l.x = 200
		case nil:
			l.x = 300
		default:
			l.x = 400
		}
	}
}

func (l *TypeSwitch) Unlock(int) {}
