package interp

import (
	"go/token"
	"go/types"
	"strconv"
)

func itoa(n int) string { return strconv.Itoa(n) }

// binop computes a binary operation on operands of type t.
func (r *run) binop(op token.Token, t types.Type, x, y Value) Value {
	switch op {
	case token.EQL:
		return r.equal(x, y)
	case token.NEQ:
		if eq, ok := r.equal(x, y).(Num); ok {
			return eq ^ 1
		}
		return r.opaque(r.equal(x, y))
	}
	if a, ok := x.(string); ok {
		if b, ok := y.(string); ok {
			return r.strings(op, a, b)
		}
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
		return r.signed(op, int64(a), int64(b), width)
	}
	return r.unsigned(op, uint64(a), uint64(b), width)
}

func (r *run) equal(x, y Value) Value {
	switch x := x.(type) {
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
		if !types.Identical(x.T, b.T) {
			return Num(0)
		}
		return r.equal(x.V, b.V)
	case Slice: // only with nil
		b, _ := y.(Slice)
		return boolean(x.P.Obj == 0 && b.P.Obj == 0)
	case *Closure: // only with nil
		b, _ := y.(*Closure)
		return boolean(x == nil && b == nil)
	}
	if o, ok := y.(Opaque); ok {
		return r.opaque(o)
	}
	return boolean(x == y)
}

func (r *run) strings(op token.Token, a, b string) Value {
	switch op {
	case token.ADD:
		return a + b
	case token.LSS:
		return boolean(a < b)
	case token.LEQ:
		return boolean(a <= b)
	case token.GTR:
		return boolean(a > b)
	case token.GEQ:
		return boolean(a >= b)
	}
	return r.unmodelled("cannot be modelled: " + op.String() + " of strings")
}

func (r *run) unsigned(op token.Token, a, b uint64, width int) Value {
	switch op {
	case token.LSS:
		return boolean(a < b)
	case token.LEQ:
		return boolean(a <= b)
	case token.GTR:
		return boolean(a > b)
	case token.GEQ:
		return boolean(a >= b)
	case token.QUO, token.REM:
		if b == 0 {
			r.fail("integer divide by zero")
		}
		if op == token.QUO {
			return Num(a / b)
		}
		return Num(a % b)
	case token.SHR:
		return Num(a >> b)
	}
	return truncate(r.ring(op, a, b), width)
}

func (r *run) signed(op token.Token, a, b int64, width int) Value {
	switch op {
	case token.LSS:
		return boolean(a < b)
	case token.LEQ:
		return boolean(a <= b)
	case token.GTR:
		return boolean(a > b)
	case token.GEQ:
		return boolean(a >= b)
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
	r.refuse("cannot be modelled: the operator %s", op)
	return 0
}

// convert converts a value between types.
func (r *run) convert(from, to types.Type, v Value) Value {
	switch x := v.(type) {
	case Num:
		if b, ok := to.Underlying().(*types.Basic); ok && b.Info()&types.IsInteger != 0 {
			return truncate(x, r.m.bits(b))
		}
	case Ptr:
		if b, ok := to.Underlying().(*types.Basic); !ok || b.Kind() == types.UnsafePointer {
			return x
		}
		return r.unmodelled("turns an address into a number")
	case Opaque:
		return r.opaque(x)
	}
	return r.unmodelled("converts a " + from.String() + " to a " + to.String())
}
