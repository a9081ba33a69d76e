package interp

import (
	"fmt"
	"go/types"
	"slices"
)

// Memory that Lock or Unlock allocates is its process's own until an access
// puts its address where others can find it. That access gives it a slot: an
// object as New builds them, so that its cells are registers like all others.
// A slot is free whenever nothing leads to it, neither a register nor a local
// state, and the memory that is shared next gets the first that is free of those
// of its process and type.
//
// That is what Go does, up to the names of addresses. Take a run of the compiled code,
// with fresh memory for every allocation, and number what can be reached by the slots
// that it has here: each step gives the same on both sides, since a process can do
// nothing with addresses but follow them and compare them with others that it can reach
// (turning one into a number is refused), and since two variables that can be reached at
// once never share a slot. No later step depends on a variable that cannot be reached any
// more. So the states visited here are those of Go, with addresses that differ only by a
// renaming being one. That the first free slot is taken, and not any, makes them few.
//
// A reused address cannot be mistaken for the variable that had it before, neither here
// nor in Go. The garbage collector of Go frees only variables that no pointer leads to.

// Bounds of the variables that processes have allocated and that can be reached
// at once: all together, as sets of slots are words, and of one process and
// type.
const (
	maxSlots = 64
	maxPool  = 8
)

// Piling says that more can be reached of what processes have allocated than there
// is room for.
type Piling struct{ Msg string }

func (e *Piling) Error() string { return e.Msg }

// slot is a variable that a process has allocated and shared.
type slot struct {
	obj  int32
	used bool // its first content is known
}

// pool is the slots of one process for one type.
type pool struct {
	pid   int
	typ   types.Type
	slots []int
}

// heap is the slots of a machine.
type heap struct {
	slots []slot
	pools []pool
	of    map[int32]int // from an object to its slot
}

func newHeap() heap { return heap{of: map[int32]int{}} }

// has reports whether an address is in a slot.
func (h *heap) has(p Ptr) bool {
	_, ok := h.of[p.Obj]
	return ok
}

// Slots returns how many slots there are.
func (m *Machine) Slots() int { return len(m.heap.slots) }

// SlotOf returns the slot that an address is in, or -1.
func (m *Machine) SlotOf(p Ptr) int {
	if i, ok := m.heap.of[p.Obj]; ok {
		return i
	}
	return -1
}

// SlotCell returns the address of a cell of a slot.
func (m *Machine) SlotCell(slot int, off int32) Ptr { return Ptr{m.heap.slots[slot].obj, off} }

// Pools returns how many pools there are.
func (m *Machine) Pools() int { return len(m.heap.pools) }

// Pool returns the slots of a pool, in the order in which they are taken.
func (m *Machine) Pool(pool int) []int { return m.heap.pools[pool].slots }

// Grow adds a slot to a pool.
func (m *Machine) Grow(pool int) (int, error) {
	h := &m.heap
	p := &h.pools[pool]
	if most := min(maxPool, maxSlots-len(h.slots)+len(p.slots)); len(p.slots) == most {
		return 0, &Piling{fmt.Sprintf("more than %d variables of type %s that one process has allocated in Lock or Unlock can be reached at once",
			most, typeString(p.typ))}
	}
	at := m.mem.newObject(p.typ, m.lay.zeros(nil, p.typ))
	i := len(h.slots)
	h.slots = append(h.slots, slot{obj: at.Obj})
	h.of[at.Obj] = i
	p.slots = append(p.slots, i)
	return i, nil
}

// pool returns the pool of a process for a type.
func (m *Machine) pool(pid int, t types.Type) int {
	t = m.typ(t)
	for i, p := range m.heap.pools {
		if p.pid == pid && p.typ == t {
			return i
		}
	}
	m.heap.pools = append(m.heap.pools, pool{pid: pid, typ: t})
	return len(m.heap.pools) - 1
}

// Publishes returns the pools of the variables that the next access of a
// process shares, if it writes: mostly none.
func (m *Machine) Publishes(pid int, s *State) (pools []int) {
	for _, o := range s.heap[:s.fresh] {
		pools = append(pools, m.pool(pid, o.typ))
	}
	return pools
}

// Bind returns the state after the variables that the next access shares have got the given
// slots, and the content of each variable.
func (m *Machine) Bind(s *State, slots []int) (st *State, content [][]Value, err error) {
	defer func() {
		if x := recover(); x != nil {
			err = caught(x)
		}
	}()
	c := &canon{number: map[int32]int32{}}
	for i, slot := range slots {
		c.number[-int32(i)-1] = m.heap.slots[slot].obj
	}
	for i, slot := range slots {
		cells := c.values(s.heap[i].cells)
		m.fill(slot, cells)
		content = append(content, cells)
	}
	bound := *s // it differs only in the pointers to the variables
	st = &bound
	st.Access, st.frames, st.heap, st.fresh, st.aliases = c.access(s.Access), nil, nil, 0, nil
	for _, f := range s.frames {
		f.env, f.deferred, f.words = c.values(f.env), c.deferredCalls(f.deferred), c.values(f.words)
		st.frames = append(st.frames, f)
	}
	st.priv = c.values(s.priv)
	c.close(st, s.heap)
	c.join(st, s.aliases)
	return st, content, nil
}

// fill notes the content that a variable has when it is shared. A cell that
// always begins with the same, and is never written later, stays a constant.
func (m *Machine) fill(slot int, cells []Value) {
	h := &m.heap.slots[slot]
	if !h.used {
		copy(m.mem.objs[h.obj].cells, cells)
		h.used = true
		return
	}
	for i, v := range cells {
		at := Ptr{h.obj, int32(i)}
		if c := m.uses.cell(at); c.kind != shared && !same(v, m.mem.objs[h.obj].cells[i]) {
			m.uses.relearn(func() { c.kind = shared })
		}
	}
}

// Leads returns the slots that a value leads to, as a set.
func (m *Machine) Leads(v Value) (slots uint64) {
	if len(m.heap.slots) == 0 {
		return 0
	}
	scalars(v, func(v Value) {
		if p, ok := v.(Ptr); ok {
			if i, ok := m.heap.of[p.Obj]; ok {
				slots |= 1 << i
			}
		}
	})
	return slots
}

// Holds returns the slots that a local state leads to.
func (m *Machine) Holds(s *State) (slots uint64) {
	if len(m.heap.slots) == 0 {
		return 0
	}
	if a := s.Access; a != nil {
		slots = m.Leads(a.At) | m.Leads(a.Arg) | m.Leads(a.Old)
	}
	for _, f := range s.frames {
		slots |= m.Leads(Agg(f.env)) | m.Leads(Agg(f.words))
		for _, d := range f.deferred {
			slots |= m.Leads(Agg(d.values))
		}
	}
	for _, o := range s.heap {
		slots |= m.Leads(Agg(o.cells))
	}
	return slots | m.Leads(Agg(s.priv))
}

// Constants returns the slots that a slot leads to by cells that are no
// registers.
func (m *Machine) Constants(slot int) (slots uint64) {
	obj := m.heap.slots[slot].obj
	for i, v := range m.mem.objs[obj].cells {
		if !m.Shared(Ptr{obj, int32(i)}) {
			slots |= m.Leads(v)
		}
	}
	return slots
}

// Takes reports whether the access, of a cell that holds v, leaves its argument
// there.
func (a *Access) Takes(v Value) bool {
	if a.Op == CompareAndSwap {
		if n, ok := v.(Num); ok {
			v = a.Word(n)
		}
		return v == held(a.Old)
	}
	return a.Writes()
}

// release refuses to share a value of type t that leads to memory which this
// process has allocated, if that cannot be modeled.
func (r *run) release(t types.Type, v Value, seen map[int32]bool) {
	switch v := v.(type) {
	case Ptr:
		elem := types.Type(nil)
		if p, ok := t.Underlying().(*types.Pointer); ok {
			elem = p.Elem()
		}
		r.releaseObject(v, elem, 1, seen)
	case Slice:
		if s, ok := t.Underlying().(*types.Slice); ok {
			r.releaseObject(v.P, s.Elem(), v.Cap, seen)
		}
	case *Closure:
		if v != nil && ownsMemory(v.Free) {
			r.refuse("stores a function in shared memory that captures a variable of the process")
		}
	case Iface:
		if _, agg := v.V.(Agg); agg {
			r.refuse("stores a struct in a shared interface variable")
		}
		if v.T != nil {
			r.release(v.T, v.V, seen)
		}
	case Forgotten:
		r.needs(v)
	}
}

// releaseObject does so for an address of count variables of a type, or of an
// unknown one.
func (r *run) releaseObject(p Ptr, elem types.Type, count int32, seen map[int32]bool) {
	if p.Obj >= 0 || seen[p.Obj] {
		return
	}
	seen[p.Obj] = true
	o := r.memory(p)
	switch {
	case r.m.Prog.Sizes.Sizeof(o.typ) == 0:
		r.refuse("shares a variable without size")
	case p.Off != 0, elem != nil && int(count*r.m.lay.cells(elem)) != len(o.cells):
		r.refuse("shares a part of a variable that Lock or Unlock has allocated, of type %s; share the whole, or allocate the part for itself", typeString(o.typ))
	}
	for _, a := range r.st.aliases {
		if a.a.Obj == p.Obj || a.b.Obj == p.Obj {
			r.refuse("shares memory that append may or may not have moved")
		}
	}
	for i, v := range o.cells {
		r.release(r.m.lay.cellType(o.typ, int32(i)), v, seen)
	}
}

// ownsMemory reports whether a value is not sure to lead to no memory that a process has
// allocated.
func ownsMemory(vs []Value) bool {
	return slices.ContainsFunc(vs, func(v Value) bool {
		switch v := v.(type) {
		case Num, string:
			return false
		case Ptr:
			return v.Obj < 0
		case *Closure:
			return v != nil && ownsMemory(v.Free)
		case Iface:
			return v.T != nil && ownsMemory([]Value{v.V})
		}
		return true
	})
}
