package interp

import (
	"fmt"
	"go/types"
	"math"
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
	c := m.cell(p)
	others := c.readers &^ (1 << pid)
	switch {
	case c.kind == shared:
	case atomic && c.readers == 0 && c.kind != private:
		c.kind = shared
	case atomic, c.kind == private && c.owner != pid, write && others != 0:
		m.relearn(func() { c.kind = shared })
	case write && c.kind == unwritten && m.SlotOf(p) >= 0:
		// What the cell holds cannot be a part of one process's state: only all
		// of them together know whether it is still there.
		m.relearn(func() { c.kind = shared })
	case write && c.kind == unwritten:
		m.relearn(func() {
			c.kind, c.owner, c.slot = private, pid, len(m.priv[pid])
			m.priv[pid] = append(m.priv[pid], p)
		})
	}
	c.readers |= 1 << pid
	return c
}

func (m *Machine) cell(p Ptr) *cell {
	c := m.cells[p]
	if c == nil {
		c = new(cell)
		m.cells[p] = c
	}
	return c
}

// relearn changes what the machine takes for granted, and voids what has been
// learned so far. A machine that is frozen stays as it is.
func (m *Machine) relearn(change func()) {
	if !m.frozen {
		change()
	}
	panic(reclassified{})
}

// Freeze ends learning: what is found out from now on is refused with
// ErrReclassified, and what has been learned stays valid.
func (m *Machine) Freeze() { m.frozen, m.left = true, math.MaxInt }

// memory returns the object that an address is in.
func (r *run) memory(p Ptr) *object {
	switch {
	case p.Obj == 0:
		r.fail("nil pointer dereference")
	case p.Obj < 0:
		return &r.st.heap[-p.Obj-1]
	}
	return &r.m.objs[p.Obj]
}

// copies is what an instruction does that reads or writes shared memory word by word,
// each a step: it is executed again after each, and passes over the words that it has
// copied. Those are kept in its frame.
type copies struct {
	on     bool
	single bool    // one word is copied so too: what it holds is not the instruction's value
	before []Value // the words of what the instruction has read and written before
}

// copying executes an instruction, or a part of it, that copies word by word.
func (r *run) copying(single bool, do func()) {
	r.copies = copies{on: true, single: single}
	do()
	if r.copies = (copies{}); r.access == nil && len(r.st.frames) > 0 {
		r.st.frames[len(r.st.frames)-1].words = nil
	}
}

// copied returns the words that have been copied of what is copied now, and of what
// comes then.
func (r *run) copied() []Value {
	if !r.copies.on || r.pid < 0 {
		return nil
	}
	words := r.st.frames[len(r.st.frames)-1].words
	return words[min(len(words), len(r.copies.before)):]
}

// next notes that the words before the next one have been copied. what is
// refused is to do so where words cannot be copied one by one.
func (r *run) next(before []Value, what string) {
	if !r.copies.on {
		r.refuse("%s", what)
	}
	r.st.frames[len(r.st.frames)-1].words = append(append([]Value{}, r.copies.before...), before...)
}

// past notes that all words of what is copied now have been.
func (r *run) past(words []Value) {
	if r.copies.on {
		r.copies.before = append(r.copies.before, words...)
	}
}

// load reads a value of type t at p. If that is a step, it sets r.access and
// returns nil.
func (r *run) load(p Ptr, t types.Type) Value {
	n := r.m.lay.cells(t)
	from := r.memory(p).cells
	if int(p.Off)+int(n) > len(from) {
		r.fail("address out of range")
	}
	from = from[p.Off : p.Off+n]
	if p.Obj < 0 || r.pid < 0 {
		return r.read(t, pack(t, from))
	}
	values := append([]Value(nil), from...)
	for i := int32(copy(values, r.copied())); i < n; i++ {
		at := Ptr{p.Obj, p.Off + i}
		switch c := r.m.touch(at, r.pid, false, false); c.kind {
		case private:
			values[i] = r.st.priv[c.slot]
		case shared:
			r.access = &Access{Op: Load, At: at, Plain: true, bits: r.m.wordBits(t), wrap: isAgg(t)}
			if n > 1 || r.copies.single {
				r.next(values[:i], fmt.Sprintf("copies a whole %s of memory that another process writes", t))
				r.access.bits, r.access.wrap = r.m.wordBits(r.m.lay.cellType(t, i)), false
			}
			return nil
		}
		if n == 1 && !isAgg(t) {
			values[i] = r.read(t, values[i])
		}
		r.watch(Load, at, values[i])
	}
	r.past(values)
	return r.read(t, pack(t, values))
}

// read returns what a load of type t gives where memory holds v: a word that
// was written through a pointer of another sign has the sign of the reader.
func (r *run) read(t types.Type, v Value) Value {
	switch v := v.(type) {
	case Num:
		return truncate(v, r.m.wordBits(t))
	case Ptr:
		if r.m.puns {
			r.view(v, t)
		}
	}
	return v
}

// store writes a value at p. If that is a step, it sets r.access instead.
func (r *run) store(p Ptr, v Value) {
	cells := flat(v)
	if int(p.Off)+len(cells) > len(r.memory(p).cells) {
		r.fail("address out of range")
	}
	for i := min(len(r.copied()), len(cells)); i < len(cells); i++ {
		at, cv := Ptr{p.Obj, p.Off + int32(i)}, cells[i]
		if p.Obj < 0 || r.pid < 0 {
			r.set(at, cv)
			continue
		}
		switch c := r.m.touch(at, r.pid, true, false); c.kind {
		case private:
			r.watch(Store, at, cv)
			if r.m.forgotten[at] {
				continue
			}
			r.kept(cv)
			r.unmoved(at)
			r.st.priv[c.slot] = cv
		case shared:
			if len(cells) > 1 || r.copies.single {
				r.next(cells[:i], "overwrites a whole struct or array of memory that another process uses")
			}
			r.unmoved(at)
			r.access = &Access{Op: Store, At: at, Plain: true, Arg: r.publish(at, r.m.lay.cellType(r.memory(at).typ, at.Off), cv), forgotten: r.m.forgotten[at]}
			return
		}
	}
	if p.Obj > 0 {
		r.past(cells)
	}
}

// set writes a cell that no other process can reach. Cells that may be the
// same memory are not known any more.
func (r *run) set(p Ptr, v Value) {
	cells := r.memory(p).cells
	if same(cells[p.Off], v) {
		return
	}
	cells[p.Off] = v
	r.writes++
	r.m.counts = r.m.counts || p.Obj > 0 && r.m.before > 0 && (p.Obj < r.m.before || r.m.variable[p.Obj])
	for _, other := range aliases(*r.aliasesOf(p), p) {
		r.memory(other).cells[other.Off] = moved
	}
}

// publish returns a value of type t that is about to be stored at a place where
// others can see it.
func (r *run) publish(at Ptr, t types.Type, v Value) Value {
	switch v := v.(type) {
	case Opaque:
		r.refuse("uses %s, which cannot be modelled", v.By)
	case Forgotten:
		if !r.m.forgotten[at] {
			r.kept(v)
		}
	default:
		r.release(t, v, map[int32]bool{})
	}
	return v
}

// alloc returns new memory for a variable of type t with the given content, or
// the zero value if that is nil.
func (r *run) alloc(t types.Type, cells []Value) Ptr {
	n := int(r.m.lay.cells(t))
	if r.pid < 0 {
		if r.m.allocated+n > r.m.maxCells {
			r.m.collect(r.st)
		}
		r.m.allocated += n
	}
	if r.pid >= 0 {
		r.allocated += n
	}
	if max(r.allocated, r.m.allocated) > r.m.maxCells {
		r.fault(Fault{Refused: true, Open: r.m.maxCells < maxCells}, "allocates more than %d words of memory", []any{r.m.maxCells})
	}
	if cells == nil {
		cells = r.m.lay.zeros(make(Agg, 0, n), t)
	}
	if r.pid < 0 {
		return r.m.newObject(t, cells)
	}
	r.st.heap = append(r.st.heap, object{t, cells})
	return Ptr{Obj: -int32(len(r.st.heap))}
}

// collect frees the memory that New can no longer reach.
func (m *Machine) collect(st *State) {
	reach := m.reach(st)
	m.allocated = 0
	for i := range m.objs {
		if !reach[int32(i)] {
			m.objs[i].cells = nil
		}
		m.allocated += len(m.objs[i].cells)
	}
}

// reach returns the objects that the given values lead to, the variables of
// packages, and those of the functions that run.
func (m *Machine) reach(st *State, roots ...Value) map[int32]bool {
	for _, p := range m.globals {
		roots = append(roots, p)
	}
	for _, f := range st.frames {
		roots = append(roots, Agg(f.env))
		for _, d := range f.later {
			roots = append(roots, Agg(d.values))
		}
	}
	return m.reachFrom(roots)
}

// reachFrom returns the objects that values lead to, and, as negative numbers, the
// maps.
func (m *Machine) reachFrom(roots []Value) map[int32]bool {
	reached := map[int32]bool{}
	var queue []int32
	var visit func(v Value)
	visit = func(v Value) {
		switch v := v.(type) {
		case Ptr:
			if v.Obj > 0 && !reached[v.Obj] {
				reached[v.Obj] = true
				queue = append(queue, v.Obj)
			}
		case Slice:
			visit(v.P)
		case Agg:
			for _, c := range v {
				visit(c)
			}
		case *Closure:
			if v != nil {
				visit(Agg(v.Free))
			}
		case Iface:
			visit(v.V)
		case Map:
			if v.ID > 0 && !reached[-v.ID] {
				reached[-v.ID] = true
				visit(Agg(m.maps[v.ID-1].keys))
				visit(Agg(m.maps[v.ID-1].values))
			}
		}
	}
	for _, v := range roots {
		visit(v)
	}
	for len(queue) > 0 {
		next := queue[0]
		queue = queue[1:]
		visit(Agg(m.objs[next].cells))
	}
	return reached
}

func (v Opaque) String() string { return fmt.Sprintf("(%s)", v.By) }
