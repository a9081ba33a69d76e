package interp

import "go/types"

// word is where a cell lies among the bytes of a variable, and what it can
// hold: words of one kind and size can stand for each other.
type word struct {
	off, size int64
	kind      types.BasicKind // Int for integers and booleans, UnsafePointer for addresses, else Invalid
	typ       types.Type      // where the kind does not say it all
}

// wordsOf returns the words of a type, one for each cell.
func (l *layouts) wordsOf(t types.Type) []word {
	if w, ok := l.words[t]; ok {
		return w
	}
	var all []word
	switch u := t.Underlying().(type) {
	case *types.Struct:
		var fields []*types.Var
		for f := range u.Fields() {
			fields = append(fields, f)
		}
		offs := l.sizes.Offsetsof(fields)
		for i, f := range fields {
			if f.Name() != "_" {
				all = moveTo(all, l.wordsOf(f.Type()), offs[i])
			}
		}
	case *types.Array:
		each := l.wordsOf(u.Elem())
		if len(each) == 0 {
			break
		}
		for i := range u.Len() {
			all = moveTo(all, each, i*l.sizes.Sizeof(u.Elem()))
		}
	case *types.Basic:
		w := word{size: l.sizes.Sizeof(t), typ: u}
		switch {
		case u.Info()&(types.IsInteger|types.IsBoolean) != 0:
			w.kind, w.typ = types.Int, nil
		case u.Kind() == types.UnsafePointer:
			w.kind, w.typ = types.UnsafePointer, nil
		}
		all = []word{w}
	case *types.Pointer:
		all = []word{{size: l.sizes.Sizeof(t), kind: types.UnsafePointer}}
	default:
		all = []word{{size: l.sizes.Sizeof(t), typ: u}}
	}
	l.words[t] = all
	return all
}

func moveTo(to, words []word, off int64) []word {
	for _, w := range words {
		w.off += off
		to = append(to, w)
	}
	return to
}

// fits reports whether a variable of type t lies at a cell of another: word by
// word, at the same distances.
func (l *layouts) fits(t, whole types.Type, off int32) bool {
	part, all := l.wordsOf(t), l.wordsOf(whole)
	if len(part) == 0 {
		return true
	}
	if int(off)+len(part) > len(all) {
		return false
	}
	all = all[off:]
	for i, w := range part {
		have := all[i]
		if w.off-part[0].off != have.off-all[0].off || w.size != have.size || w.kind != have.kind {
			return false
		}
		if (w.typ == nil) != (have.typ == nil) || w.typ != nil && !types.Identical(w.typ, have.typ) {
			return false
		}
	}
	return true
}

// view refuses to see memory at an address as of type t, a pointer, if it is
// laid out in another way: cells are not bytes.
func (r *run) view(p Ptr, t types.Type) {
	to, ok := t.Underlying().(*types.Pointer)
	if !ok || p.Obj == 0 {
		return
	}
	whole := r.memory(p).typ
	if !r.m.lay.fits(to.Elem(), whole, p.Off) {
		r.refuse("sees memory of type %s as %s, which is laid out in another way", typeString(whole), typeString(to.Elem()))
	}
	if words := r.m.lay.wordsOf(to.Elem()); len(words) == 1 && words[0].kind == types.UnsafePointer {
		r.m.mem.retyped = true // what is stored through it may be an address of any type
	}
}

// unaligned reports whether a word does not lie at a multiple of eight bytes in
// its variable, which begins at one.
func (r *run) unaligned(p Ptr) bool {
	words := r.m.lay.wordsOf(r.memory(p).typ)
	return int(p.Off) < len(words) && words[p.Off].off%8 != 0
}

// addAddress moves an address by a number of bytes, within its variable and from
// word to word.
func (r *run) addAddress(v, by Value) Value {
	p, ok := v.(Ptr)
	n, ok2 := by.(Num)
	switch {
	case !ok:
		return r.opaque(v)
	case !ok2:
		return r.opaque(by)
	case p.Obj == 0:
		return r.unmodeled("turns a number into an address")
	}
	words := r.m.lay.wordsOf(r.memory(p).typ)
	if int(p.Off) < len(words) {
		to := words[p.Off].off + int64(n)
		for i, w := range words {
			if w.off == to && w.size > 0 {
				return Ptr{p.Obj, int32(i)}
			}
		}
	}
	return r.unmodeled("moves an address to where no word of its variable begins")
}

func typeString(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string { return p.Name() })
}
