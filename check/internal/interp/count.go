package interp

import "go/types"

// Count is the remainder of a number modulo M. A process may add a number to it, copy it, compare it
// with a count of its class, subtract one from the other, and take its remainder modulo a divisor
// of M. All this stays the same if the same is added to all counts of a class. Any other use of a
// count is refused, except with constants in an anchored class.
type Count struct {
	// Of is a register. It stands for the class: all counts that are compared with each other.
	Of   Ptr
	N, M uint64
	// Lap is 0 if the class is not anchored.
	Lap Lap
	// Low is not greater than the number, if no register of the class ever holds one below 0.
	Low int8
}

// minus returns the distance from d to c that is nearest to 0.
func (c Count) minus(d Count) int64 {
	by := int64((c.N + c.M - d.N) % c.M)
	if by > int64(c.M/2) {
		by -= int64(c.M)
	}
	return by
}

// plus returns the count with a number added.
func (c Count) plus(by int64) Count {
	if c.Lap > 0 {
		return c.further(uint64(by))
	}
	m := int64(c.M)
	c.N = uint64(((int64(c.N)+by%m)%m + m) % m)
	c.Low = int8(max(-highest, min(int64(c.Low)+max(-highest, min(by, highest)), highest)))
	return c
}

// highest bounds Low.
const highest = 16

// held returns the count as a register holds it.
func (c Count) held() Count {
	c.Low = 0
	return c
}

// counting is how a machine treats registers that count.
type counting struct {
	modulo uint64
	cells  map[Ptr]bool // that hold counts
	grows  []Ptr        // that must hold counts, or the lock is refused
	plain  map[Ptr]bool // that have turned out to do more than count
	class  map[Ptr]Ptr  // leads, in steps, to the register that stands for a class
	// accessed and computed are the most that an access adds to a count of a class, and that the
	// computation between two accesses adds in all, up and down.
	accessed, computed map[Ptr]shift
	apart              bool // counts are subtracted from each other
	// sinks: registers that may hold a number below 0.
	sinks map[Ptr]bool
	// anchors: registers of classes that are anchored.
	anchors map[Ptr]bool
}

// shift is how far counts are moved up and down.
type shift struct{ up, down int64 }

func (m shift) by(n int64) shift {
	if n < 0 {
		m.down -= n
	} else {
		m.up += n
	}
	return m
}

func (m shift) max(n shift) shift { return shift{max(m.up, n.up), max(m.down, n.down)} }

// Count makes registers hold counts modulo a number. Other registers do too if processes add numbers to
// them, or store counts there, as long as they do nothing else.
// It must be called before the machine starts a process.
func (m *Machine) Count(modulo uint64, cells []Ptr) {
	m.counts = &counting{modulo: modulo, cells: map[Ptr]bool{}, grows: cells, plain: map[Ptr]bool{}, class: map[Ptr]Ptr{}, accessed: map[Ptr]shift{}, computed: map[Ptr]shift{}, sinks: map[Ptr]bool{}, anchors: map[Ptr]bool{}}
	for _, p := range cells {
		m.counts.cells[p] = true
	}
}

// Apart reports whether counts are subtracted from each other.
func (m *Machine) Apart() bool { return m.counts.apart }

// Moves returns how far one step, with the computation behind it, moves a count of a class in both
// directions together.
func (m *Machine) Moves(class Ptr) int64 {
	var a, c shift
	for p, by := range m.counts.accessed {
		if m.counts.of(p) == class {
			a = a.max(by)
		}
	}
	for p, by := range m.counts.computed {
		if m.counts.of(p) == class {
			c = c.max(by)
		}
	}
	return a.up + a.down + c.up + c.down
}

// of returns the register that stands for the class of a register.
func (c *counting) of(p Ptr) Ptr {
	for {
		next, ok := c.class[p]
		if !ok {
			return p
		}
		p = next
	}
}

// first is the initial value of a register.
func (c *counting) first(p Ptr, v Value) Value {
	if n, ok := v.(Num); ok && c != nil && c.cells[p] {
		if c.anchored(p) {
			return c.anchor(p, n)
		}
		if int64(n) < 0 {
			c.sinks[p] = true
		}
		return Count{Of: c.of(p), M: c.modulo}.plus(int64(n)).held()
	}
	return v
}

// join makes one class of two.
func (r *run) join(a, b Ptr) {
	c := r.m.counts
	if a, b = c.of(a), c.of(b); a != b {
		r.m.uses.relearn(func() { c.class[b] = a })
	}
}

// holdsCounts makes a register hold counts, if it may.
func (r *run) holdsCounts(p Ptr) {
	switch c := r.m.counts; {
	case c.plain[p]:
		r.refuse("%s holds more than counts", r.m.Names().Cell(p))
	case !c.cells[p]:
		r.m.uses.relearn(func() { c.cells[p] = true })
	}
}

// misused refuses a use of a count. Where no register of the class must hold counts, they hold plain
// numbers from now on.
func (r *run) misused(class Ptr, use string, args ...any) {
	c := r.m.counts
	if class = c.of(class); !c.grow(class) {
		r.m.uses.relearn(func() {
			for p := range c.cells {
				if c.of(p) == class {
					delete(c.cells, p)
					c.plain[p] = true
				}
			}
		})
	}
	r.refuse(r.m.Names().Cell(class)+" "+use, args...)
}

// counts checks an access that is about to be made.
func (r *run) counts(a *Access) {
	if r.m.counts == nil {
		return
	}
	if _, number := r.m.Initial(a.At).(Num); number && a.Op == Add && !r.m.counts.plain[a.At] {
		r.holdsCounts(a.At)
	}
	cell := r.m.counts.cells[a.At]
	for _, v := range []Value{a.Old, a.Arg} {
		switch v := v.(type) {
		case Count:
			r.holdsCounts(a.At)
			r.join(a.At, v.Of)
			if v.Low < 0 && v == a.Arg {
				r.sinks(a.At)
			}
		case Num:
			if !cell || a.Op == Add {
				continue
			}
			if r.anchors(a.At, v) {
				a.anchor(r.m.counts)
				continue
			}
			does := "is set to"
			if a.Op == CompareAndSwap {
				does = "is compared with"
			}
			r.misused(a.At, does+" %d", int64(v))
		}
	}
	switch _, number := a.Arg.(Num); {
	case !cell:
	case a.Op == And, a.Op == Or, a.Op == Add && !number:
		r.misused(a.At, "does more than count")
	case (r.m.counts.modulo&(r.m.counts.modulo-1) != 0 || r.m.counts.anchored(a.At)) && !r.endless(r.m.lay.cellType(r.memory(a.At).typ, a.At.Off)):
		r.misused(a.At, "wraps around between multiples of %d", r.m.counts.modulo)
	case a.Op == Add && r.m.counts.anchored(a.At) && !r.m.counts.ahead(a.by()):
		r.misused(a.At, "is compared with constants and moved by %d", a.by())
	case a.Op == Add:
		if a.by() < 0 {
			r.sinks(a.At)
		}
		most := r.m.counts.accessed
		most[a.At] = most[a.At].max(shift{}.by(a.by()))
	}
}

// sinks notes that a register may hold a number below 0.
func (r *run) sinks(p Ptr) {
	if c := r.m.counts; !c.sinks[p] {
		r.m.uses.relearn(func() { c.sinks[p] = true })
	}
}

// rises reports whether a count of type t stands for a number that is not below 0 and never wraps
// around.
func (r *run) rises(c Count, t types.Type) bool {
	if c.Lap > 0 {
		return r.endless(t)
	}
	for p := range r.m.counts.sinks {
		if r.m.counts.of(p) == c.Of {
			return false
		}
	}
	return r.endless(t) && c.Low >= 0
}

// by is the number that an access adds.
func (a *Access) by() int64 { return signed(a.Arg.(Num), a.bits) }

// signed returns the number next to 0 that is the same in a word of so many bits.
func signed(n Num, bits int) int64 { return int64(truncate(n, -max(bits, -bits))) }
