package interp

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// deferred is a call that is made when its function ends. Its values are what is
// called, unless that is a builtin, and the arguments, as they were then.
type deferred struct {
	call   *ssa.Defer
	values []Value
}

// deferCall notes a call for later. A panic ends a process here, so that what is
// deferred is not run then; only a call that recovers would make a difference.
func (r *run) deferCall(fr *frame, in *ssa.Defer) {
	d := deferred{call: in}
	if _, builtin := in.Call.Value.(*ssa.Builtin); !builtin {
		d.values = append(d.values, r.get(fr, in.Call.Value))
	}
	if in.Call.IsInvoke() {
		if i, ok := d.values[0].(Iface); ok && i.T == nil {
			r.fail("defers a call of %s on a nil interface", in.Call.Method.Name())
		}
	}
	for _, a := range in.Call.Args {
		d.values = append(d.values, r.get(fr, a))
	}
	if c, ok := r.get(fr, in.Call.Value).(*Closure); ok && c != nil && recovers(c.Fn) {
		r.refuse("defers a call that recovers from panics")
	}
	fr.deferred = append(slices.Clip(fr.deferred), d)
	fr.pc++
}

// recovers reports whether a function calls recover.
func recovers(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if call, ok := in.(*ssa.Call); ok {
				if f, ok := call.Call.Value.(*ssa.Builtin); ok && f.Name() == "recover" {
					return true
				}
			}
		}
	}
	return false
}

// runDeferred makes the last of the calls that are still to be made.
func (r *run) runDeferred(fr *frame) {
	last := len(fr.deferred) - 1
	if last < 0 {
		fr.pc++
		return
	}
	d := fr.deferred[last]
	fr.deferred, fr.at = fr.deferred[:last], d.call.Pos()
	c := d.call.Common()
	if b, ok := c.Value.(*ssa.Builtin); ok {
		r.builtin(b, c, d.values, nil)
		return
	}
	r.callValue(fr, c, d.values[0], d.values[1:])
}
