package everyn

// cursors are the ways to find a cursor that inference tries, in this order.
var cursors = func() (all []Cursor) {
	all = []Cursor{{Kind: None}, {Kind: Same}, {Kind: Read}, {Kind: Self}}
	for _, down := range []bool{false, true} {
		for _, from := range []From{FromEnd, FromCursor} {
			for _, own := range []OnOwn{Skip, Stop, Take} {
				all = append(all, Cursor{Kind: Scan, From: from, Down: down, Own: own})
			}
		}
		all = append(all, Cursor{Kind: Scan, From: FromSelf, Down: down, Own: Stop})
		for _, c := range []Cursor{{From: FromSelf, Own: Stop}, {From: FromCursor, Own: Stop}, {From: FromCursor, Own: Take}} {
			c.Kind, c.Down, c.Around = Scan, down, true
			all = append(all, c)
		}
	}
	return all
}()

// noID is the cursor of a process that has none.
const noID = -1

// origin is what a cursor is found from: process self of n with a cursor, or noID, that has read
// an id, or noID.
type origin struct{ n, self, cursor, read int }

// find returns the cursor that a process comes to. It returns false if there is none.
func (c Cursor) find(a origin) (id int, ok bool) {
	switch c.Kind {
	case None:
		return noID, true
	case Same:
		return a.cursor, a.cursor != noID
	case Self:
		return a.self, true
	case Read:
		return a.read, a.read != noID
	}
	step, id := 1, -1
	if c.Down {
		step, id = -1, a.n
	}
	switch c.From {
	case FromSelf:
		id = a.self
	case FromCursor:
		if id = a.cursor; id == noID {
			return noID, false
		}
	}
	for range a.n {
		id += step
		if c.Around {
			id = (id + a.n) % a.n
		}
		switch {
		case id < 0 || id >= a.n:
			return noID, false
		case id != a.self || c.Own == Take:
			return id, true
		case c.Own == Stop:
			return noID, false
		}
	}
	return noID, false
}
