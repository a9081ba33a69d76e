package interp

import (
	"go/token"
	"go/types"
)

// countop computes an operation on operands of type t. At least one is a count.
func (r *run) countop(op token.Token, t types.Type, x, y Value) Value {
	a, isA := x.(Count)
	b, isB := y.(Count)
	if isA && isB {
		r.join(a.Of, b.Of)
		switch op {
		case token.SUB:
			if a.Lap > 0 {
				break
			}
			r.m.counts.apart = true
			return truncate(Num(a.minus(b)), r.m.bits(t))
		case token.LSS, token.LEQ, token.GTR, token.GEQ:
			if r.rises(a, t) && r.rises(b, t) {
				if a.Lap != b.Lap {
					return ordered(op, int(a.Lap)-int(b.Lap))
				}
				if a.Lap == FirstLap {
					return ordered(op, int(a.N)-int(b.N))
				}
				return ordered(op, int(a.minus(b)))
			}
		}
		return r.opaque(x)
	}
	n, ok := y.(Num)
	if isB {
		a = b
		n, ok = x.(Num)
	}
	switch {
	case !ok:
	case op == token.ADD:
		return r.add(a, signed(n, r.m.bits(t)))
	case op == token.SUB && isA:
		return r.add(a, -signed(n, r.m.bits(t)))
	case op == token.REM && isA, op == token.AND && n&(n+1) == 0:
		if op == token.AND {
			n++
		}
		return r.remainder(a, t, n)
	case op == token.LSS || op == token.LEQ || op == token.GTR || op == token.GEQ:
		if (n < infinite || r.m.bits(t) > 0) && r.anchors(a.Of, n) {
			outcome := a.from(n)
			if isB {
				outcome = -outcome
			}
			return ordered(op, outcome)
		}
		r.misused(a.Of, "is compared with %d", int64(n))
	}
	return r.opaque(a)
}

// endless reports whether a counter of type t never wraps around: nothing counts to 2^63.
func (r *run) endless(t types.Type) bool { return r.m.Prog.Sizes.Sizeof(t) == 8 }

// add returns a count with a number added.
func (r *run) add(c Count, by int64) Value {
	if c.Lap > 0 && !r.m.counts.ahead(by) {
		r.misused(c.Of, "is compared with constants and moved by %d", by)
	}
	if r.moved == nil {
		r.moved = map[Ptr]shift{}
	}
	r.moved[c.Of] = r.moved[c.Of].by(by)
	most := r.m.counts.computed
	most[c.Of] = most[c.Of].max(r.moved[c.Of])
	return c.plus(by)
}

// remainder returns the remainder of a count, or its lowest bits. Where the counter wraps around, or is
// below 0, the remainder is still right if the divisor is a power of two and there is no sign.
func (r *run) remainder(c Count, t types.Type, by Num) Value {
	if by == 0 || by > mostModulo || (by&(by-1) != 0 || r.m.bits(t) < 0) && !r.rises(c, t) {
		return r.opaque(c)
	}
	if multiple := c.M / gcd(c.M, uint64(by)) * uint64(by); multiple > mostModulo {
		return r.opaque(c)
	} else if multiple != c.M {
		r.m.uses.relearn(func() { r.m.counts.modulo = multiple })
	}
	return Num(c.N % uint64(by))
}

// mostModulo is the largest modulus of counts: sets of counts are words.
const mostModulo = 64

// compared is whether a count equals another value.
func (r *run) compared(c Count, v Value) Value {
	switch v := v.(type) {
	case Count:
		r.join(c.Of, v.Of)
		return boolean(c.N == v.N && c.Lap == v.Lap)
	case Num:
		if r.anchors(c.Of, v) {
			return boolean(c.from(v) == 0)
		}
		r.misused(c.Of, "is compared with %d", int64(v))
	}
	return r.opaque(c)
}

// held returns a value as a register holds it.
func held(v Value) Value {
	if c, ok := v.(Count); ok {
		return c.held()
	}
	return v
}

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func counted(v Value) bool {
	_, ok := v.(Count)
	return ok
}
