package interp

import (
	"go/types"
	"slices"
)

// alias says that the n cells from a on and the n cells from b on are either the same
// memory or a copy. append has grown a slice, which may have had room left.
type alias struct {
	a, b Ptr
	n    int32
}

// moved is the value of a cell that may or may not be the same memory as one that was
// written.
var moved = Opaque{By: "an element that append may or may not have moved", ID: -1}

// aliasesOf returns what is known of the memory that p is in.
func (r *run) aliasesOf(p Ptr) *[]alias {
	if p.Obj < 0 {
		return &r.st.aliases
	}
	return &r.m.mem.aliases
}

// aliases returns the cells that may be the same as the one at p.
func aliases(known []alias, p Ptr) (all []Ptr) {
	for i := 0; i <= len(all); i++ {
		at := p
		if i > 0 {
			at = all[i-1]
		}
		for _, al := range known {
			for _, other := range [...]Ptr{al.other(al.a, al.b, at), al.other(al.b, al.a, at)} {
				if other != (Ptr{}) && other != p && !slices.Contains(all, other) {
					all = append(all, other)
				}
			}
		}
	}
	return all
}

// other returns the cell that corresponds to a cell among those that begin at from, among
// those that begin at to. It returns the zero Ptr if there is none.
func (al alias) other(from, to, at Ptr) Ptr {
	by := at.Off - from.Off
	if at.Obj != from.Obj || by < 0 || by >= al.n {
		return Ptr{}
	}
	return Ptr{to.Obj, to.Off + by}
}

// refuseMoved refuses to write to a cell of a slice that append has grown in New: it is
// not known whether append has moved the cell.
func (r *run) refuseMoved(p Ptr) {
	if len(aliases(r.m.mem.aliases, p)) > 0 {
		r.refuse("writes %s", moved.By)
	}
}

// clear makes the elements of a slice zero, and a map empty.
func (r *run) clear(t types.Type, v Value) Value {
	if _, ok := v.(Map); ok {
		if d := r.updated(v); d != nil {
			*d = dict{index: map[any]int{}}
		}
		return nil
	}
	s, ok := v.(Slice)
	u, ok2 := t.Underlying().(*types.Slice)
	if !ok || !ok2 {
		return r.unmodeled("clears something else than a slice or a map")
	}
	if s.Len > 0 {
		r.store(s.P, r.m.lay.zeros(nil, types.NewArray(u.Elem(), int64(s.Len))))
		r.refuseStep("clears memory that another process uses")
	}
	return nil
}

// append writes into the array of a slice that has room, and moves the elements of one
// that has none. The runtime decides how much room the new array has. So it is not known
// whether a slice that append has grown has room for more.
func (r *run) append(t types.Type, args []Value) Value {
	s, ok := args[0].(Slice)
	more, ok2 := r.text(args[1]).(Slice)
	if !ok || !ok2 {
		return r.unmodeled("appends something else than a slice")
	}
	if more.Len == 0 {
		return s
	}
	elem := t.Underlying().(*types.Slice).Elem()
	size := r.m.lay.cells(elem)
	cells := r.elements(elem, more)
	if r.access != nil {
		return nil
	}
	n := s.Len + more.Len
	room := Ptr{s.P.Obj, s.P.Off + s.Len*size}
	if n <= s.Cap {
		r.store(room, Agg(cells))
		r.refuseStep("appends to memory that another process uses")
		s.Len = n
		return s
	}
	if s.Grown && s.P.Obj > 0 && r.pid >= 0 {
		r.refuse("appends to a slice that append has grown in New: whether it has room is up to the runtime")
	}
	old := r.elements(elem, s)
	if r.access != nil {
		return nil
	}
	all := append(append([]Value{}, old...), cells...)
	p := r.alloc(types.NewArray(elem, int64(n)), all)
	if s.Grown { // it may have had room: then this is the same array
		for i, v := range cells {
			at := Ptr{room.Obj, room.Off + int32(i)}
			if o := r.memory(at); int(at.Off) == len(o.cells) {
				o.cells = append(o.cells, v)
				o.typ = types.NewArray(elem, int64(len(o.cells))/int64(size))
			} else {
				r.set(at, v)
			}
		}
		known := r.aliasesOf(p)
		*known = append(*known, alias{s.P, p, n * size})
	}
	return Slice{p, n, n, r.m.Prog.Sizes.Sizeof(elem) > 0}
}
