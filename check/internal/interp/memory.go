package interp

import (
	"fmt"
	"go/types"
)

// kind is what a cell of shared memory is to the processes, as far as has been
// seen. It only ever rises: what is learned under a lower kind is void when a
// cell turns out to be of a higher one.
type kind uint8

const (
	unwritten kind = iota // read by anybody, written by nobody
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

// touch notes an access by process pid to a cell, and returns it. A plain
// access to memory that nobody else touches, or that nobody writes, is no step.
func (m *Machine) touch(p Ptr, pid int, write, atomic bool) *cell {
	c := m.cells[p]
	if c == nil {
		c = new(cell)
		m.cells[p] = c
	}
	others := c.readers &^ (1 << pid)
	switch {
	case c.kind == shared:
	case atomic:
		known := c.readers != 0 || c.kind == private
		c.kind = shared
		if known {
			panic(reclassified{})
		}
	case c.kind == private && c.owner != pid, write && others != 0:
		c.kind = shared
		panic(reclassified{})
	case write && c.kind == unwritten:
		c.kind, c.owner, c.slot = private, pid, len(m.priv[pid])
		m.priv[pid] = append(m.priv[pid], p)
		panic(reclassified{})
	}
	c.readers |= 1 << pid
	return c
}

// load reads a value of type t at p. If that is a step, it sets r.access and
// returns nil.
func (r *run) load(p Ptr, t types.Type) Value {
	n := r.m.lay.cells(t)
	var from []Value
	switch {
	case p.Obj == 0:
		r.fail("nil pointer dereference")
	case p.Obj < 0:
		from = r.st.heap[-p.Obj-1]
	default:
		from = r.m.objs[p.Obj].cells
	}
	if int(p.Off+n) > len(from) {
		r.fail("address out of range")
	}
	from = from[p.Off : p.Off+n]
	if p.Obj < 0 || r.pid < 0 {
		return pack(t, from)
	}
	values := append([]Value(nil), from...)
	for i := range n {
		at := Ptr{p.Obj, p.Off + i}
		switch c := r.m.touch(at, r.pid, false, false); c.kind {
		case private:
			values[i] = r.st.priv[c.slot]
		case shared:
			if n > 1 {
				r.refuse("copies a whole %s of memory that another process writes", t)
			}
			r.access = &Access{Op: Load, At: at, Plain: true, wrap: isAgg(t)}
			return nil
		}
		r.watch(Load, at, values[i])
	}
	return pack(t, values)
}

// store writes a value at p. If that is a step, it sets r.access instead.
func (r *run) store(p Ptr, v Value) {
	cells := flat(v)
	if p.Obj == 0 {
		r.fail("nil pointer dereference")
	}
	if p.Obj < 0 {
		to := r.st.heap[-p.Obj-1]
		if int(p.Off)+len(cells) > len(to) {
			r.fail("address out of range")
		}
		copy(to[p.Off:], cells)
		return
	}
	if int(p.Off)+len(cells) > len(r.m.objs[p.Obj].cells) {
		r.fail("address out of range")
	}
	if r.pid < 0 {
		copy(r.m.objs[p.Obj].cells[p.Off:], cells)
		return
	}
	for i, cv := range cells {
		at := Ptr{p.Obj, p.Off + int32(i)}
		switch c := r.m.touch(at, r.pid, true, false); c.kind {
		case private:
			r.watch(Store, at, cv)
			r.st.priv[c.slot] = cv
		case shared:
			if len(cells) > 1 {
				r.refuse("overwrites a whole struct or array of memory that another process uses")
			}
			r.access = &Access{Op: Store, At: at, Plain: true, Arg: r.publish(cv)}
			return
		}
	}
}

// publish returns a value that is about to be stored where others can see it,
// unless it leads to memory that this process has allocated while running.
func (r *run) publish(v Value) Value {
	switch v := v.(type) {
	case Ptr:
		if v.Obj < 0 {
			r.refuse("shares memory that Lock or Unlock has allocated; allocate it in New")
		}
	case Slice:
		if v.P.Obj < 0 {
			r.refuse("shares memory that Lock or Unlock has allocated; allocate it in New")
		}
	case *Closure:
		if v != nil {
			r.refuse("stores a function in shared memory")
		}
	case Iface:
		if _, agg := v.V.(Agg); agg {
			r.refuse("stores a struct in a shared interface variable")
		}
		r.publish(v.V)
	case Opaque:
		r.refuse("uses %s, which cannot be modelled", v.By)
	}
	return v
}

// alloc returns new memory with the given content.
func (r *run) alloc(t types.Type, cells []Value) Ptr {
	if r.pid < 0 {
		return r.m.newObject(t, cells)
	}
	r.st.heap = append(r.st.heap, cells)
	return Ptr{Obj: -int32(len(r.st.heap))}
}

func (v Opaque) String() string { return fmt.Sprintf("(%s)", v.By) }
