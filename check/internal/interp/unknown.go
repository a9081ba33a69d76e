package interp

import "fmt"

// kept notes that something depends on a value that was forgotten: what has been
// learned so far is void.
func (r *run) kept(v Value) {
	switch v := v.(type) {
	case Forgotten:
		r.m.uses.need(v.Cell)
	case Agg:
		for _, c := range v {
			r.kept(c)
		}
	case Iface:
		r.kept(v.V)
	}
}

// opaque refuses to use v, except while the lock is built: then what is made of
// it is not known either.
func (r *run) opaque(v Value) Value {
	r.kept(v)
	o, ok := v.(Opaque)
	if !ok {
		r.refuse("cannot be modelled: a %T where another kind of value was expected", v)
	}
	if r.pid >= 0 {
		r.refuse("uses %s, which cannot be modelled", o.By)
	}
	made := r.m.mem.unknown(o.By)
	made.Foreign = o.Foreign
	return made
}

// describe returns a value as a panic message shows it.
func describe(v Value) string {
	switch v := v.(type) {
	case Iface:
		return describe(v.V)
	case Num:
		return fmt.Sprint(int64(v))
	case string:
		return v
	}
	return "a value"
}
