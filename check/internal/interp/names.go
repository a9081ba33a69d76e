package interp

import (
	"cmp"
	"fmt"
	"go/types"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Names tells what the cells of a lock's memory are called in its source: "number[2]",
// "node[2].q[1]". A cell behind a pointer is called after the pointer. Memory that Lock or
// Unlock has allocated is called after its type, and numbered: "node#1.next".
type Names struct {
	m     *Machine
	cells map[Ptr]named // scalars
	whole map[Ptr]string
	seen  map[place]bool
	maps  map[int32]bool // that have been gone through
	queue []toName
	room  []toName // elements that slices have room for
}

type place struct {
	at Ptr
	t  types.Type
}

type named struct {
	name string
	typ  types.Type
}

type toName struct {
	t    types.Type
	at   Ptr
	name string
}

// Names walks the lock, and after it the package-level variables.
func (m *Machine) Names() *Names {
	n := &Names{m: m, cells: map[Ptr]named{}, whole: map[Ptr]string{}, seen: map[place]bool{}, maps: map[int32]bool{}}
	n.value(m.Root.T, m.Root.V, n.ofWhole())
	n.drain()
	for g, p := range m.mem.globals {
		o := m.mem.objs[p.Obj]
		if !slices.ContainsFunc(o.cells, func(v Value) bool { _, unknown := v.(Opaque); return unknown }) {
			n.memory(o.typ, p, g.Name())
		}
	}
	n.drain()
	for len(n.room) > 0 {
		n.queue, n.room = n.room, nil
		n.drain()
	}
	kinds := map[string]int{}
	for _, s := range m.heap.slots {
		o := m.mem.objs[s.obj]
		_, name := typeName(o.typ)
		if name == "" {
			name = typeString(o.typ)
		}
		kinds[name]++
		n.memory(o.typ, Ptr{Obj: s.obj}, name+"#"+strconv.Itoa(kinds[name]))
	}
	n.drain()
	return n
}

// ofWhole names the whole lock. A lock that is a register, or an array of them, has the name of its type. A struct
// has none, because its fields have names.
func (n *Names) ofWhole() string {
	t := n.m.Root.T
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	pkg, name := typeName(t)
	if _, fields := t.Underlying().(*types.Struct); fields && pkg != "sync/atomic" {
		return ""
	}
	return name
}

func (n *Names) drain() {
	for len(n.queue) > 0 {
		next := n.queue[0]
		n.queue = n.queue[1:]
		n.memory(next.t, next.at, next.name)
	}
}

// Cell returns a cell's name.
func (n *Names) Cell(p Ptr) string {
	if c, ok := n.cells[p]; ok {
		return c.name
	}
	return fmt.Sprintf("cell %d.%d", p.Obj, p.Off)
}

// All yields every cell that has a name, in the order of their addresses.
func (n *Names) All() iter.Seq2[Ptr, string] {
	return func(yield func(Ptr, string) bool) {
		cells := slices.SortedFunc(maps.Keys(n.cells), func(a, b Ptr) int {
			return cmp.Or(cmp.Compare(a.Obj, b.Obj), cmp.Compare(a.Off, b.Off))
		})
		for _, p := range cells {
			if !yield(p, n.cells[p].name) {
				return
			}
		}
	}
}

// Value formats what a cell holds.
func (n *Names) Value(cell Ptr, v Value) string {
	switch v := v.(type) {
	case Num:
		t := n.cells[cell].typ
		if b, ok := under(t).(*types.Basic); ok {
			switch {
			case b.Info()&types.IsBoolean != 0:
				return strconv.FormatBool(v != 0)
			case b.Info()&types.IsUnsigned != 0:
				return strconv.FormatUint(uint64(truncate(v, n.m.bits(b))), 10)
			}
		}
		return strconv.FormatInt(int64(v), 10)
	case Count:
		if v.Lap == LaterLap {
			return strconv.FormatUint(v.N+v.M, 10)
		}
		return strconv.FormatUint(v.N, 10)
	case Ptr:
		if v.Obj == 0 {
			return "nil"
		}
		if name, ok := n.whole[v]; ok {
			return name
		}
		return n.Cell(v)
	case Iface:
		if v.T == nil {
			return "nil"
		}
		return n.Value(cell, v.V)
	case Map:
		if v.ID == 0 {
			return "nil"
		}
		return "map"
	case Agg:
		parts := make([]string, len(v))
		for i, part := range v {
			parts[i] = n.Value(cell, part)
		}
		return "[" + strings.Join(parts, " ") + "]"
	case *Closure:
		if v != nil {
			return v.Fn.Name()
		}
		return "nil"
	case string:
		return strconv.Quote(v)
	case Forgotten:
		return "(any)"
	case nil:
		return ""
	}
	return fmt.Sprintf("%v", v)
}

// Kind returns the basic type of a cell, or types.Invalid.
func (n *Names) Kind(p Ptr) types.BasicKind {
	if b, ok := under(n.cells[p].typ).(*types.Basic); ok {
		return b.Kind()
	}
	return types.Invalid
}

func under(t types.Type) types.Type {
	if t == nil {
		return nil
	}
	return t.Underlying()
}

// value follows a value that leads to memory.
func (n *Names) value(t types.Type, v Value, name string) {
	switch v := v.(type) {
	case Ptr:
		if p, ok := under(t).(*types.Pointer); ok && v.Obj > 0 {
			n.queue = append(n.queue, toName{p.Elem(), v, name})
		}
	case Slice:
		if s, ok := under(t).(*types.Slice); ok && v.P.Obj > 0 {
			size := n.m.lay.cells(s.Elem())
			for i := range v.Cap {
				to := &n.queue
				if i >= v.Len {
					to = &n.room
				}
				*to = append(*to, toName{s.Elem(), Ptr{v.P.Obj, v.P.Off + i*size}, index(name, int(i))})
			}
		}
	case Iface:
		if v.T != nil {
			n.value(v.T, v.V, name)
		}
	case Map:
		if t, ok := under(t).(*types.Map); ok && v.ID > 0 && !n.maps[v.ID] {
			n.maps[v.ID] = true
			d := n.m.mem.at(v)
			for i, key := range d.keys {
				n.value(t.Elem(), d.values[i], name+"["+describeKey(key)+"]")
			}
		}
	case Agg:
		n.parts(t, v, name)
	case *Closure:
		if v != nil {
			for i, free := range v.Free {
				n.value(v.Fn.FreeVars[i].Type(), free, field(name, v.Fn.FreeVars[i].Name()))
			}
		}
	}
}

// parts follows what the parts of a value lead to that lies in no memory, as that in an
// interface does.
func (n *Names) parts(t types.Type, v Agg, name string) {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f, at := range n.m.lay.fields(u) {
			n.value(f.Type(), pack(f.Type(), v[at:at+n.m.lay.cells(f.Type())]), member(name, f))
		}
	case *types.Array:
		size := n.m.lay.cells(u.Elem())
		for i := range int32(u.Len()) {
			n.value(u.Elem(), pack(u.Elem(), v[i*size:(i+1)*size]), index(name, int(i)))
		}
	}
}

func describeKey(key Value) string {
	if s, ok := key.(string); ok {
		return strconv.Quote(s)
	}
	return describe(key)
}

func index(name string, i int) string { return name + "[" + strconv.Itoa(i) + "]" }

func field(name, f string) string {
	if name == "" {
		return f
	}
	return name + "." + f
}

// member is the name of a field of a variable. An embedded field has the variable's.
func member(name string, f *types.Var) string {
	if f.Embedded() {
		return name
	}
	return field(name, f.Name())
}

// memory names the variable of type t at an address.
func (n *Names) memory(t types.Type, at Ptr, name string) {
	if isAgg(t) {
		if n.seen[place{at, t}] {
			return
		}
		n.seen[place{at, t}] = true
		if _, done := n.whole[at]; !done && name != "" {
			n.whole[at] = name
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		pkg, typ := typeName(t)
		switch {
		case pkg == "sync/atomic":
			n.atomicWord(u, at, name, typ)
		case pkg == "shmbench/shm" && typ == "Array":
			n.array(u, at, name)
		default:
			for f, off := range n.m.lay.fields(u) {
				n.memory(f.Type(), Ptr{at.Obj, at.Off + off}, member(name, f))
			}
		}
	case *types.Array:
		size := n.m.lay.cells(u.Elem())
		for i := range int32(u.Len()) {
			n.memory(u.Elem(), Ptr{at.Obj, at.Off + i*size}, index(name, int(i)))
		}
	default:
		n.scalar(t, at, name)
	}
}

func (n *Names) scalar(t types.Type, at Ptr, name string) {
	if _, done := n.cells[at]; done {
		return
	}
	own := name
	if own == "" { // it is embedded in the lock
		_, own = typeName(t)
	}
	n.cells[at] = named{own, t}
	n.value(t, n.m.Initial(at), name)
}

// atomicWord names the word of a type of sync/atomic after the variable.
func (n *Names) atomicWord(s *types.Struct, at Ptr, name, typ string) {
	if name == "" { // it is embedded in the lock
		name = typ
	}
	t := s.Field(s.NumFields() - 1).Type()
	switch typ {
	case "Bool":
		t = types.Typ[types.Bool]
	case "Pointer":
		t = s.Field(0).Type().Underlying().(*types.Array).Elem()
	}
	n.scalar(t, at, name)
}

// array names the registers of a shm.Array by their logical index.
func (n *Names) array(s *types.Struct, at Ptr, name string) {
	cells := n.m.mem.objs[at.Obj].cells[at.Off:]
	registers, stride := cells[0].(Slice), int32(cells[1].(Num))
	elem := s.Field(0).Type().Underlying().(*types.Slice).Elem()
	size := n.m.lay.cells(elem)
	for i := range registers.Len / stride {
		n.memory(elem, Ptr{registers.P.Obj, registers.P.Off + i*stride*size}, index(name, int(i)))
	}
}

func typeName(t types.Type) (pkg, name string) {
	if named, ok := types.Unalias(t).(*types.Named); ok && named.Obj().Pkg() != nil {
		return named.Obj().Pkg().Path(), named.Obj().Name()
	}
	return "", ""
}
