package interp

import "fmt"

// needs notes that something depends on a value. If the value was forgotten, what has
// been learned so far is void.
func (r *run) needs(v Value) {
	switch v := v.(type) {
	case Forgotten:
		r.m.uses.need(v.Cell)
	case Agg:
		for _, c := range v {
			r.needs(c)
		}
	case Iface:
		r.needs(v.V)
	}
}

// opaque refuses to use a value that is not known. While the lock is built, it returns
// another unknown value: the result of using v.
func (r *run) opaque(v Value) Value {
	r.needs(v)
	if c, ok := v.(Count); ok {
		r.misused(c.Of, "does more than count")
	}
	o, ok := v.(Opaque)
	if !ok {
		r.refuse("cannot be modeled: a %T where another kind of value was expected", v)
	}
	if r.pid >= 0 {
		r.refuse("uses %s, which cannot be modeled", o.By)
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
