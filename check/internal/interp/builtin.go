package interp

import (
	"fmt"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

func (r *run) builtin(b *ssa.Builtin, c *ssa.CallCommon, args []Value, result types.Type) Value {
	if b.Name() == "panic" { // deferred: any other call of it is an instruction
		r.fail("panics: %s", describe(args[0]))
	}
	for _, a := range args {
		if o, ok := a.(Opaque); ok && b.Name() != "print" && b.Name() != "println" {
			r.clobberArgument(b, args[0])
			return r.opaque(o)
		}
	}
	switch b.Name() {
	case "len", "cap":
		if n := r.length(b.Name(), args[0], c.Args[0].Type().Underlying()); n != nil {
			return n
		}
	case "min", "max":
		return r.extreme(b.Name(), args, result)
	case "Sizeof":
		return Num(r.m.Prog.Sizes.Sizeof(c.Args[0].Type()))
	case "Alignof":
		return Num(r.m.Prog.Sizes.Alignof(c.Args[0].Type()))
	case "append":
		return r.append(c.Args[0].Type(), args)
	case "copy":
		return r.copy(c.Args[0].Type(), args)
	case "clear":
		return r.clear(c.Args[0].Type(), args[0])
	case "delete":
		r.delete(args[0], args[1])
		return nil
	case "Add":
		return r.addAddress(args[0], args[1])
	case "ssa:deferstack":
		r.refuse("defers a call from the body of a loop over a function")
	case "ssa:wrapnilchk":
		if p, ok := args[0].(Ptr); ok && p.Obj == 0 {
			r.fail("nil pointer dereference")
		}
		return args[0]
	}
	return r.unmodeled(fmt.Sprintf("calls %s, which cannot be modeled", b.Name()))
}

// length returns the length or the capacity of a value of type t, nil if it has none.
func (r *run) length(which string, of Value, t types.Type) Value {
	switch x := of.(type) {
	case string:
		return Num(len(x))
	case Slice:
		switch {
		case which == "len":
			return Num(x.Len)
		case x.Grown:
			return r.unmodeled("asks for a capacity that the runtime has chosen")
		}
		return Num(x.Cap)
	case Map:
		if x.ID == 0 {
			return Num(0)
		}
		if d := r.m.mem.at(x); !d.lost {
			return Num(len(d.keys))
		}
		return r.unmodeled("asks for the length of a map that is not fully known")
	}
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem().Underlying()
	}
	if a, ok := t.(*types.Array); ok {
		return Num(a.Len())
	}
	return nil
}

// extreme returns the least or the greatest of some values.
func (r *run) extreme(which string, args []Value, t types.Type) Value {
	best := args[0]
	for _, a := range args[1:] {
		if f, ok := forgotten(a, best); ok {
			return f
		}
		less := r.binop(token.LSS, t, a, best)
		if (less == Num(1)) == (which == "min") && a != best {
			best = a
		}
	}
	return best
}

// copy copies the elements of a slice, or the bytes of a string.
func (r *run) copy(t types.Type, args []Value) Value {
	to, ok := args[0].(Slice)
	from, ok2 := r.text(args[1]).(Slice)
	if !ok || !ok2 {
		return r.unmodeled("copies from something else than a slice")
	}
	elem := t.Underlying().(*types.Slice).Elem()
	n := min(to.Len, from.Len)
	from.Len = n
	if cells := r.elements(elem, from); len(cells) > 0 {
		r.store(to.P, Agg(cells))
		r.refuseStep("copies into memory that another process uses")
	}
	return Num(n)
}

// refuseStep refuses an access that is a step if the instruction cannot be executed word
// by word.
func (r *run) refuseStep(what string) {
	if r.access != nil && !r.copies.on {
		r.access = nil
		r.refuse("%s", what)
	}
}

// elements returns the cells of a slice. If that is a step, it sets r.access and
// returns nil.
func (r *run) elements(elem types.Type, s Slice) []Value {
	if s.Len == 0 {
		return nil
	}
	v := r.load(s.P, types.NewArray(elem, int64(s.Len)))
	if r.refuseStep("copies memory that another process writes"); r.access != nil {
		return nil
	}
	return flat(v)
}
