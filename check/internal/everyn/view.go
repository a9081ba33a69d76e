package everyn

// View is a part of a state: the shared registers and some of the processes, in the order of
// their ids. It has a byte for each shared register, and then for each member its location, its
// cursor and its own cells. A byte below refBase is a location or a constant. A byte of refBase
// or more refers to a process: to member m if it is refBase + 2m + 1, and to a process that is
// no member, with an id between those of members m-1 and m, if it is refBase + 2m.
type View string

const (
	noRef   = 99 // of a process without a cursor
	refBase = 100
)

// layout says where in a view of a template its parts are.
type layout struct{ shared, stride int }

func (t *Template) layout() layout { return layout{len(t.Shared), 2 + len(t.Own)} }

func (l layout) size(members int) int { return l.shared + members*l.stride }

// member returns where the bytes of a member begin.
func (l layout) member(m int) int { return l.shared + m*l.stride }

// members returns how many members a view has.
func (l layout) members(v View) int { return (len(v) - l.shared) / l.stride }

func refTo(member int) byte { return refBase + byte(2*member+1) }

// without returns the reference when member m is no member any more.
func without(ref byte, m int) byte {
	gap := byte(refBase + 2*m)
	switch {
	case ref < gap:
		return ref
	case ref <= gap+2:
		return gap
	}
	return ref - 2
}

// drop returns the view without member m.
func (l layout) drop(v View, m int) View {
	return View(l.appendDropped(make([]byte, 0, len(v)-l.stride), v, m))
}

// appendDropped appends the view without member m to out.
func (l layout) appendDropped(out []byte, v View, m int) []byte {
	for i := range l.member(m) {
		out = append(out, without(v[i], m))
	}
	for i := l.member(m + 1); i < len(v); i++ {
		out = append(out, without(v[i], m))
	}
	return out
}

// with returns the first and the last of the bytes that may be in a view with another member m, if
// it is b without it.
func with(b byte, m int) (first, last byte) {
	gap := byte(refBase + 2*m)
	switch {
	case b < refBase || b < gap:
		return b, b
	case b == gap:
		return gap, gap + 2
	}
	return b + 2, b + 2
}

// initial returns the initial views of so many processes. If alone is true, there are no others.
func (t *Template) initial(members int, alone bool) []View {
	firsts := []byte{refTo(0), refBase}
	if alone {
		firsts = firsts[:1]
	}
	var out []View
	for _, first := range firsts {
		var v []byte
		add := func(r Register, own byte) {
			switch r.Initial {
			case FirstID:
				v = append(v, first)
			case OwnID:
				v = append(v, own)
			default:
				v = append(v, byte(r.Initial))
			}
		}
		for _, r := range t.Shared {
			add(r, 0)
		}
		for m := range members {
			v = append(v, 0, noRef)
			for _, r := range t.Own {
				add(r, refTo(m))
			}
		}
		out = append(out, View(v))
	}
	return out
}
