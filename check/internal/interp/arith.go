package interp

import (
	"cmp"
	"go/token"
	"go/types"
)

// binop computes a binary operation on operands of type t.
func (r *run) binop(op token.Token, t types.Type, x, y Value) Value {
	switch op {
	case token.EQL:
		return r.equal(x, y)
	case token.NEQ:
		eq := r.equal(x, y)
		if n, ok := eq.(Num); ok {
			return n ^ 1
		}
		return eq
	}
	if a, ok := x.(string); ok {
		if b, ok := y.(string); ok {
			return r.strings(op, a, b)
		}
		return r.opaque(y)
	}
	if f, ok := forgotten(x, y); ok {
		if op == token.QUO || op == token.REM || op == token.SHL || op == token.SHR {
			r.mayFail(op, y)
		}
		return f
	}
	if counted(x) || counted(y) {
		return r.countop(op, t, x, y)
	}
	a, ok := x.(Num)
	if !ok {
		return r.opaque(x)
	}
	b, ok := y.(Num)
	if !ok {
		return r.opaque(y)
	}
	width := r.m.bits(t)
	if width < 0 {
		return arithmetic(r, op, int64(a), int64(b), width)
	}
	return arithmetic(r, op, uint64(a), uint64(b), width)
}

// forgotten returns the operand that was forgotten, if there is one.
func forgotten(x, y Value) (Value, bool) {
	if _, ok := x.(Forgotten); ok {
		return x, true
	}
	_, ok := y.(Forgotten)
	return y, ok
}

// mayFail keeps a divisor, or the distance of a shift, that was forgotten: the
// operation may panic.
func (r *run) mayFail(op token.Token, y Value) {
	r.needs(y)
	if n, ok := y.(Num); ok && n == 0 && (op == token.QUO || op == token.REM) {
		r.fail("integer divide by zero")
	}
}

// refuseSizeless refuses to compare the addresses of two variables without size. Go may
// give them one address.
func (r *run) refuseSizeless(t types.Type, x, y Value) {
	if p, ok := t.Underlying().(*types.Pointer); ok && r.m.Prog.Sizes.Sizeof(p.Elem()) == 0 {
		a, ok := x.(Ptr)
		b, ok2 := y.(Ptr)
		if ok && ok2 && a != b && a.Obj != 0 && b.Obj != 0 {
			r.refuse("compares the addresses of two variables without size, which may or may not be equal")
		}
	}
}

func (r *run) equal(x, y Value) Value {
	if f, ok := forgotten(x, y); ok {
		return f
	}
	if counted(y) {
		x, y = y, x
	}
	switch x := x.(type) {
	case Count:
		return r.compared(x, y)
	case Opaque:
		return r.opaque(x)
	case Agg:
		b, ok := y.(Agg)
		if !ok || len(x) != len(b) {
			return r.opaque(y)
		}
		for i := range x {
			if eq := r.equal(x[i], b[i]); eq != Num(1) {
				return eq
			}
		}
		return Num(1)
	case Iface:
		b, ok := y.(Iface)
		if !ok {
			return r.opaque(y)
		}
		if x.T == nil || b.T == nil {
			return boolean(x.T == nil && b.T == nil)
		}
		if x.T != b.T {
			return Num(0)
		}
		if !types.Comparable(x.T) {
			r.fail("comparing uncomparable type %s", typeString(x.T))
		}
		return r.equal(x.V, b.V)
	case Slice: // only with nil
		b, _ := y.(Slice)
		return boolean(x.P.Obj == 0 && b.P.Obj == 0)
	case Map: // only with nil
		b, _ := y.(Map)
		return boolean(x.ID == 0 && b.ID == 0)
	case *Closure: // only with nil
		b, _ := y.(*Closure)
		return boolean(x == nil && b == nil)
	}
	if o, ok := y.(Opaque); ok {
		return r.opaque(o)
	}
	return boolean(x == y)
}

// ordered is the result of an ordering operator. The outcome is less than, equal to or
// greater than 0 as the first operand is less than, equal to or greater than the second.
func ordered(op token.Token, outcome int) Value {
	switch op {
	case token.LSS:
		return boolean(outcome < 0)
	case token.LEQ:
		return boolean(outcome <= 0)
	case token.GTR:
		return boolean(outcome > 0)
	}
	return boolean(outcome >= 0)
}

func (r *run) strings(op token.Token, a, b string) Value {
	switch op {
	case token.ADD:
		return a + b
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		return ordered(op, cmp.Compare(a, b))
	}
	return r.unmodeled("cannot be modeled: " + op.String() + " of strings")
}

// arithmetic computes an operation on two integers of a width.
func arithmetic[T int64 | uint64](r *run, op token.Token, a, b T, width int) Value {
	switch op {
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		return ordered(op, cmp.Compare(a, b))
	case token.QUO, token.REM:
		if b == 0 {
			r.fail("integer divide by zero")
		}
		if op == token.QUO {
			return truncate(Num(a/b), width)
		}
		return truncate(Num(a%b), width)
	case token.SHR:
		return truncate(Num(a>>uint64(b)), width)
	}
	return truncate(r.ring(op, uint64(a), uint64(b)), width)
}

// ring computes what does not depend on the sign, modulo 2^64.
func (r *run) ring(op token.Token, a, b uint64) Num {
	switch op {
	case token.ADD:
		return Num(a + b)
	case token.SUB:
		return Num(a - b)
	case token.MUL:
		return Num(a * b)
	case token.AND:
		return Num(a & b)
	case token.OR:
		return Num(a | b)
	case token.XOR:
		return Num(a ^ b)
	case token.AND_NOT:
		return Num(a &^ b)
	case token.SHL:
		return Num(a << b)
	}
	r.refuse("cannot be modeled: the operator %s", op)
	return 0
}

// convert converts a value between types.
func (r *run) convert(from, to types.Type, v Value) Value {
	if s, ok := r.textual(from, to, v); ok {
		return s
	}
	switch x := v.(type) {
	case Num:
		if b, ok := to.Underlying().(*types.Basic); ok && b.Info()&types.IsInteger != 0 {
			return r.converted(from, b, x)
		}
	case Count:
		if b, ok := to.Underlying().(*types.Basic); ok && b.Info()&types.IsInteger != 0 && r.m.Prog.Sizes.Sizeof(to) == r.m.Prog.Sizes.Sizeof(from) {
			return x
		}
		return r.opaque(x)
	case Ptr:
		if b, ok := to.Underlying().(*types.Basic); !ok || b.Kind() == types.UnsafePointer {
			r.view(x, to)
			return x
		}
		return r.unmodeled("turns an address into a number")
	case Forgotten:
		return x
	case Opaque:
		return r.opaque(x)
	}
	return r.unmodeled("converts a " + from.String() + " to a " + to.String())
}
