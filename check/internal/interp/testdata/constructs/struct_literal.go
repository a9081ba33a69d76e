package constructs

// StructLiteral makes structs, nested ones and such as have no name.
type StructLiteral struct{ x int }

func NewStructLiteral(int) *StructLiteral { return &StructLiteral{} }

// Lock makes these accesses:
//
//	x := 73
func (l *StructLiteral) Lock(int) {
	p := struct {
		a int
		b struct{ c, d int }
	}{b: struct{ c, d int }{2, 3}}
	q := &p
	q.b.c = 7
	l.x = p.a + 10*p.b.c + p.b.d
}

func (l *StructLiteral) Unlock(int) {}
