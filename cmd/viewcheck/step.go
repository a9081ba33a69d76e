package main

import "fmt"

// after returns the views after a step of member m. If alone is true, there are no processes but
// the members. An access to a cell of a process that is no member changes nothing here: another
// view has that process.
func (t *template) after(s shape, v view, m int, alone bool) ([]view, error) {
	self := ref + 2*m + 1
	at := t.Locations[v[s.field(m, 0)]]
	cur := int(v[s.field(m, 1)])
	cell, holds := -1, 0
	switch at.Access.At {
	case "shared":
		cell = at.Access.Register
	case "own":
		cell = s.field(m, 2+at.Access.Register)
	case "cursor":
		if cur < ref {
			return nil, fmt.Errorf("location %q is reached without a cursor", at.Name)
		}
		if (cur-ref)%2 == 0 {
			return nil, nil
		}
		cell = s.field((cur-ref)/2, 2+at.Access.Register)
	}
	if cell >= 0 {
		holds = int(v[cell])
	}
	r := at.ruleFor(holds, self)
	if r == nil {
		return nil, fmt.Errorf("location %q has no rule for the value %d", at.Name, holds)
	}
	now := []byte(v)
	switch r.Write {
	case unchanged:
	case ownID:
		now[cell] = byte(self)
	case cursorID:
		now[cell] = byte(cur)
	default:
		now[cell] = byte(r.Write)
	}
	var all []view
	members := (len(v) - s.shared) / s.each
	for _, to := range r.Goto {
		found, mayLack := to.Cursor.find(members, self, cur, holds, alone)
		for _, c := range found {
			now[s.field(m, 0)], now[s.field(m, 1)] = byte(to.Location), byte(c)
			all = append(all, view(now))
		}
		if !mayLack {
			return all, nil
		}
	}
	return nil, fmt.Errorf("location %q leads nowhere after the value %d", at.Name, holds)
}

func (l location) ruleFor(holds, self int) *rule {
	if holds == self {
		holds = ownID
	} else if holds >= ref {
		holds = otherID
	}
	for i := range l.Rules {
		if l.Rules[i].Read == holds {
			return &l.Rules[i]
		}
	}
	return nil
}

// find returns the cursors that a process may come to, and whether there may be none.
func (c cursor) find(members, self, cur, read int, alone bool) (found []int, mayLack bool) {
	switch c.Kind {
	case "none":
		return []int{none}, false
	case "same":
		return []int{cur}, false
	case "self":
		return []int{self}, false
	case "read":
		if read < ref {
			return nil, true
		}
		return []int{read}, false
	}
	return c.scan(members, self, cur, alone)
}

// scan goes through all places in order: those of members are odd, and those between them even.
func (c cursor) scan(members, self, cur int, alone bool) (found []int, mayLack bool) {
	var order []int
	for place := range 2*members + 1 {
		if c.Down {
			place = 2*members - place
		}
		order = append(order, ref+place)
	}
	begin := 0
	for i, place := range order {
		switch {
		case c.From == "self" && place == self, c.From == "cursor" && place == cur && cur%2 == 1:
			begin = i + 1
		case c.From == "cursor" && place == cur:
			begin = i // more processes may be between the same members
		}
	}
	if c.From == "cursor" && cur < ref {
		return nil, true
	}
	if c.Around {
		order = append(order, order[:begin]...)
	}
	for _, place := range order[begin:] {
		switch {
		case place%2 == 0:
			if !alone {
				found = append(found, place)
			}
		case place != self || c.Own == "take":
			return append(found, place), false
		case c.Own == "stop":
			return found, true
		}
	}
	return found, true
}
