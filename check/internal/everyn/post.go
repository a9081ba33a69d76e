package everyn

// stuck is a step for which the template has no rule, or no target.
type stuck struct{ why string }

// moves appends the views after a step of member m. If alone is true, the members are all
// processes there are. A step on a cell of a process that is no member is left out: a larger
// view has it, and this one stays the same unless the step is of a member.
func (t *Template) moves(v View, m int, alone bool, to []View) ([]View, *stuck) {
	lay := t.layout()
	begin := lay.member(m)
	at := &t.Locations[v[begin]]
	self, cursor := refTo(m), v[begin+1]
	cell := -1
	switch at.Access.At {
	case AtShared:
		cell = at.Access.Register
	case AtOwn:
		cell = begin + 2 + at.Access.Register
	case AtCursor:
		if cursor%2 == 0 {
			return to, nil
		}
		cell = lay.member(int(cursor-refBase)/2) + 2 + at.Access.Register
	}
	var read byte
	if cell >= 0 {
		read = v[cell]
	}
	r := at.reads(read, self)
	if r == nil {
		return to, &stuck{"the template has no rule for the value that the process reads"}
	}
	next := []byte(v)
	switch r.Write {
	case Unchanged:
	case OwnID:
		next[cell] = self
	case CursorID:
		next[cell] = cursor
	default:
		next[cell] = byte(r.Write)
	}
	members := lay.members(v)
	for _, target := range r.Goto {
		next[begin] = byte(target.Location)
		found, absent := target.Cursor.among(scan{members, self, cursor, read, alone})
		for _, c := range found {
			next[begin+1] = c
			to = append(to, View(next))
		}
		if !absent {
			return to, nil
		}
	}
	return to, &stuck{"the process has nowhere to go"}
}

// reads returns the rule for a byte that a process reads, or nil.
func (l *Location) reads(read, self byte) *Rule {
	v := value{int(read), noID}
	if read >= refBase {
		v = value{-1, int(read)}
	}
	return l.rule(v, int(self))
}

// scan is what a cursor is found from in a view.
type scan struct {
	members            int
	self, cursor, read byte
	alone              bool
}

// among returns what a cursor may be found to be in a view, and whether it may be that there
// is none.
func (c Cursor) among(s scan) (found []byte, absent bool) {
	last := refBase + byte(2*s.members)
	switch c.Kind {
	case None:
		return []byte{noRef}, false
	case Same:
		return []byte{s.cursor}, false
	case Self:
		return []byte{s.self}, false
	case Read:
		if s.read < refBase {
			return nil, true
		}
		return []byte{s.read}, false
	}
	if c.From == FromCursor && s.cursor == noRef {
		return nil, true
	}
	from := byte(refBase)
	if c.Down {
		from = last
	}
	switch c.From {
	case FromSelf:
		from = s.self
	case FromCursor:
		from = s.cursor
	}
	// A scan from a member goes on with the next gap, and one from a gap stays in it first.
	step := func(r byte) byte {
		if c.Down {
			return r - 1
		}
		return r + 1
	}
	if from%2 == 1 {
		from = step(from)
	}
	for range last - refBase + 2 {
		if from < refBase || from > last {
			if !c.Around {
				return found, true
			}
			if from = refBase; c.Down {
				from = last
			}
		}
		switch {
		case from%2 == 0:
			if !s.alone {
				found = append(found, from)
			}
		case from != s.self || c.Own == Take:
			return append(found, from), false
		case c.Own == Stop:
			return found, true
		}
		from = step(from)
	}
	return found, true
}
