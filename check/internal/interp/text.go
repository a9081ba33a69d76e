package interp

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// text returns a string as a slice of its bytes, which append and copy take, and
// any other value as it is.
func (r *run) text(v Value) Value {
	s, ok := v.(string)
	if !ok {
		return v
	}
	return r.spread(types.Typ[types.Byte], s)
}

// spread returns a new slice of the bytes of a string, or of its runes if elem is
// another type. How much room the slice has is the runtime's choice.
func (r *run) spread(elem types.Type, s string) Value {
	var cells []Value
	if width(elem) == types.Byte {
		for _, b := range []byte(s) {
			cells = append(cells, Num(b))
		}
	} else {
		for _, c := range s {
			cells = append(cells, truncate(Num(int64(c)), r.m.bits(elem)))
		}
	}
	n := int32(len(cells))
	return Slice{P: r.alloc(types.NewArray(elem, int64(n)), cells), Len: n, Cap: n, Grown: n > 0}
}

// textual converts between strings and slices of bytes or runes, and a number to
// the string that it is the rune of; ok is false of any other conversion.
func (r *run) textual(from, to types.Type, v Value) (result Value, ok bool) {
	switch x := v.(type) {
	case string:
		s, ok := to.Underlying().(*types.Slice)
		if !ok {
			return nil, false
		}
		return r.spread(s.Elem(), x), true
	case Slice:
		s, ok := from.Underlying().(*types.Slice)
		if !ok || !isString(to) {
			return nil, false
		}
		if x.P.Obj > 0 && r.pid >= 0 {
			r.refuse("turns memory that New has built into a string")
		}
		runes := make([]rune, 0, x.Len)
		bytes := make([]byte, 0, x.Len)
		for _, c := range r.elements(s.Elem(), x) {
			n, ok := c.(Num)
			if !ok {
				return r.opaque(c), true
			}
			runes, bytes = append(runes, rune(n)), append(bytes, byte(n))
		}
		if width(s.Elem()) == types.Byte {
			return string(bytes), true
		}
		return string(runes), true
	case Num:
		if !isString(to) {
			return nil, false
		}
		if int64(x) != int64(rune(x)) {
			return "\uFFFD", true
		}
		return string(rune(x)), true
	}
	return nil, false
}

func isString(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// width returns the kind of a number type.
func width(t types.Type) types.BasicKind {
	if b, ok := t.Underlying().(*types.Basic); ok {
		return b.Kind()
	}
	return types.Invalid
}

// clobberArgument makes unknown what a builtin may have written while the lock is built,
// if some argument of the builtin is not known. It refuses to write to an address that is
// not known.
func (r *run) clobberArgument(b *ssa.Builtin, to Value) {
	if r.pid >= 0 {
		return
	}
	switch b.Name() {
	case "delete":
		if d := r.updated(to); d != nil {
			d.lost = true
		}
		return
	case "append", "copy", "clear":
	default:
		return
	}
	switch to := to.(type) {
	case Opaque:
		r.refuseAddress(to)
	case Slice:
		if to.P.Obj == 0 {
			return
		}
		cells := r.memory(to.P).cells
		for i := to.P.Off; int(i) < len(cells); i++ {
			r.set(Ptr{to.P.Obj, i}, r.m.mem.unknown("memory that "+b.Name()+" was given"))
		}
	}
}

// refuseAddress refuses to write to an address that is not known, unless it leads to
// memory which is not modeled.
func (r *run) refuseAddress(at Value) {
	if o := r.opaque(at).(Opaque); !o.Foreign {
		r.refuse("writes to an address that is not known: %s", o.By)
	}
}
