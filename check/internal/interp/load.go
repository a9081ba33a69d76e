package interp

import (
	"fmt"
	"go/types"
)

// memory returns the object that an address is in.
func (r *run) memory(p Ptr) *object {
	switch {
	case p.Obj == 0:
		r.fail("nil pointer dereference")
	case p.Obj < 0:
		return &r.st.heap[-p.Obj-1]
	}
	return &r.m.mem.objs[p.Obj]
}

// touch notes an access of the process to a cell of shared memory, and returns it.
func (r *run) touch(p Ptr, write, atomic bool) *cell {
	return r.m.uses.touch(p, r.pid, write, atomic, r.m.heap.has)
}

// copies is the progress of an instruction that reads or writes shared memory word by
// word. Each word is a step. The instruction is executed again after each step, and
// passes over the words that it has copied, which its frame holds.
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

// copied returns the words that have been copied already, from the current word on.
func (r *run) copied() []Value {
	if !r.copies.on || r.pid < 0 {
		return nil
	}
	words := r.st.frames[len(r.st.frames)-1].words
	return words[min(len(words), len(r.copies.before)):]
}

// next notes the words that were copied before the next one. It refuses, for the reason
// what, to copy word by word if the instruction cannot.
func (r *run) next(before []Value, what string) {
	if !r.copies.on {
		r.refuse("%s", what)
	}
	r.st.frames[len(r.st.frames)-1].words = append(append([]Value{}, r.copies.before...), before...)
}

// past notes that all these words have been copied.
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
		switch c := r.touch(at, false, false); c.kind {
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

// read returns what a load of type t gives if memory holds v. A word that was written
// through a pointer of another sign has the sign of the reader.
func (r *run) read(t types.Type, v Value) Value {
	switch v := v.(type) {
	case Num:
		return truncate(v, r.m.wordBits(t))
	case Ptr:
		if r.m.mem.retyped {
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
		switch c := r.touch(at, true, false); c.kind {
		case private:
			r.watch(Store, at, cv)
			if r.m.uses.forgotten[at] {
				continue
			}
			r.needs(cv)
			r.refuseMoved(at)
			r.st.priv[c.slot] = cv
		case shared:
			if len(cells) > 1 || r.copies.single {
				r.next(cells[:i], "overwrites a whole struct or array of memory that another process uses")
			}
			r.refuseMoved(at)
			r.access = &Access{Op: Store, At: at, Plain: true, Arg: r.publish(at, r.m.lay.cellType(r.memory(at).typ, at.Off), cv), forgotten: r.m.uses.forgotten[at]}
			r.counts(r.access)
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
	r.m.mem.outlives = r.m.mem.outlives || p.Obj > 0 && r.m.mem.objsBefore > 0 && r.m.mem.older(p.Obj)
	for _, other := range aliases(*r.aliasesOf(p), p) {
		r.memory(other).cells[other.Off] = moved
	}
}

// publish returns a value of type t that is about to be stored where other processes can
// see it. It refuses values that cannot be modeled there.
func (r *run) publish(at Ptr, t types.Type, v Value) Value {
	switch v := v.(type) {
	case Opaque:
		r.refuse("uses %s, which cannot be modeled", v.By)
	case Forgotten:
		if !r.m.uses.forgotten[at] {
			r.needs(v)
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
		if r.m.mem.cells+n > r.m.limits.cells {
			r.m.mem.collect(r.st)
		}
		r.m.mem.cells += n
	}
	if r.pid >= 0 {
		r.allocated += n
	}
	if max(r.allocated, r.m.mem.cells) > r.m.limits.cells {
		r.fault(Fault{Refused: true, Open: r.m.limits.cells < maxCells}, "allocates more than %d words of memory", []any{r.m.limits.cells})
	}
	if cells == nil {
		cells = r.m.lay.zeros(make(Agg, 0, n), t)
	}
	if r.pid < 0 {
		return r.m.mem.newObject(t, cells)
	}
	r.st.heap = append(r.st.heap, object{t, cells})
	return Ptr{Obj: -int32(len(r.st.heap))}
}
