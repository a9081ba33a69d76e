package interp

import "math"

// kind is how processes have been seen to use a cell of shared memory. It only ever
// rises: what is learned under a lower kind is void when a cell turns out to be of a
// higher one.
type kind uint8

const (
	unwritten kind = iota // any process may read it, and none writes it
	private               // touched by one process only
	shared                // an access to it is a step
)

// cell is a cell of shared memory that some process has touched.
type cell struct {
	kind    kind
	owner   int    // of a private cell
	slot    int    // of a private cell: its index in the owner's State.priv
	readers uint64 // processes with plain reads
}

// uses has what the accesses of processes have shown about the cells of shared memory.
// The interpreter relies on it until a process accesses a cell otherwise.
type uses struct {
	cells     map[Ptr]*cell // that a process has touched
	priv      [][]Ptr       // by process: the cells that are its own
	forgotten map[Ptr]bool  // cells that are assumed to make no difference
	needed    map[Ptr]bool  // cells that have been seen to make one
	frozen    bool
	// persistent: all memory that New has built outlives its processes, so that no cell of
	// it is a part of the state of one.
	persistent bool
}

func newUses() uses {
	return uses{cells: map[Ptr]*cell{}, forgotten: map[Ptr]bool{}, needed: map[Ptr]bool{}}
}

// touch notes an access by process pid to a cell, and returns it. A plain
// access to memory that no other process touches, or that no process writes, is no step.
// A cell in a slot, which inSlot tells, is no process's own.
func (u *uses) touch(p Ptr, pid int, write, atomic bool, inSlot func(Ptr) bool) *cell {
	c := u.cell(p)
	others := c.readers &^ (1 << pid)
	switch {
	case c.kind == shared:
	case atomic && c.readers == 0 && c.kind != private:
		c.kind = shared
	case atomic, c.kind == private && c.owner != pid, write && others != 0:
		u.relearn(func() { c.kind = shared })
	case write && c.kind == unwritten && (u.persistent || inSlot(p)):
		// What the cell holds cannot be a part of one process's state: it is there when
		// the process has crashed, or only all processes together know whether it is
		// still there.
		u.relearn(func() { c.kind = shared })
	case write && c.kind == unwritten:
		u.relearn(func() {
			c.kind, c.owner, c.slot = private, pid, len(u.priv[pid])
			u.priv[pid] = append(u.priv[pid], p)
		})
	}
	c.readers |= 1 << pid
	return c
}

func (u *uses) cell(p Ptr) *cell {
	c := u.cells[p]
	if c == nil {
		c = new(cell)
		u.cells[p] = c
	}
	return c
}

// relearn changes what is taken for granted, and voids what has been learned so far. It
// changes nothing that is frozen.
func (u *uses) relearn(change func()) {
	if !u.frozen {
		change()
	}
	panic(reclassified{})
}

// Freeze ends learning. What has been learned stays valid. From now on, a run that
// contradicts it ends with ErrReclassified.
func (m *Machine) Freeze() { m.uses.frozen, m.limits.left = true, math.MaxInt }

// need keeps a cell from being forgotten, from now on.
func (u *uses) need(p Ptr) {
	u.relearn(func() {
		u.needed[p] = true
		delete(u.forgotten, p)
	})
}

// Owner returns the process that has a cell to itself, if one has.
func (m *Machine) Owner(p Ptr) (pid int, ok bool) {
	if c := m.uses.cells[p]; c != nil && c.kind == private {
		return c.owner, true
	}
	return 0, false
}

// Private returns the cells of shared memory that only one process uses.
func (m *Machine) Private(pid int) []Ptr { return m.uses.priv[pid] }

// Forget assumes that nothing depends on what the given cells hold. It leaves out cells
// that do not hold numbers, and those that something has been seen to depend on. It
// reports whether the assumption is new for some cell.
func (m *Machine) Forget(cells []Ptr) bool {
	fresh := false
	for _, p := range cells {
		if p.Obj == 0 || m.uses.forgotten[p] || m.uses.needed[p] {
			continue
		}
		if _, number := m.mem.objs[p.Obj].cells[p.Off].(Num); number {
			m.uses.forgotten[p], fresh = true, true
		}
	}
	return fresh
}

// Need keeps a cell from being forgotten.
func (m *Machine) Need(p Ptr) { m.uses.needed[p] = true }

// Forgotten reports whether a cell grows without bound, and nothing depends on
// what it holds.
func (m *Machine) Forgotten(p Ptr) bool { return m.uses.forgotten[p] }
