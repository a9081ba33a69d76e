package interp

import (
	"fmt"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// memory is the memory that New builds: variables and maps. Those of packages were there
// before.
type memory struct {
	objs    []object // objs[0] is unused
	maps    []*dict
	globals map[*ssa.Global]Ptr
	vars    map[int32]bool // objects that are variables of packages
	inited  map[*ssa.Package]bool
	listed  map[string]Value // by function, the specifications that it has listed
	// objsBefore and mapsBefore are how many objects and maps were there before New
	// ran. outlives: New has written to some of them, or to variables of packages.
	objsBefore, mapsBefore int32
	outlives               bool

	cells    int   // that are allocated
	unknowns int32 // values that are not known, so far
	aliases  []alias
	retyped  bool // addresses are stored as addresses of another type
}

// object is a variable of shared memory with its initial content.
type object struct {
	typ   types.Type
	cells []Value
}

func newMemory() memory {
	return memory{objs: make([]object, 1), globals: map[*ssa.Global]Ptr{}, vars: map[int32]bool{},
		inited: map[*ssa.Package]bool{}, listed: map[string]Value{}}
}

// clone returns a copy of the memory.
func (m *memory) clone() memory {
	c := *m
	c.objs = cloneObjects(m.objs)
	c.maps = nil
	for _, d := range m.maps {
		c.maps = append(c.maps, &dict{slices.Clone(d.keys), slices.Clone(d.values), maps.Clone(d.index), d.lost})
	}
	c.aliases = slices.Clone(m.aliases)
	c.globals, c.vars, c.inited, c.listed = maps.Clone(m.globals), maps.Clone(m.vars), maps.Clone(m.inited), maps.Clone(m.listed)
	return c
}

func cloneObjects(objs []object) []object {
	out := slices.Clone(objs)
	for i := range out {
		out[i].cells = slices.Clone(objs[i].cells)
	}
	return out
}

// unknown returns a value that is not known, though it may lead to what is.
func (m *memory) unknown(by string) Opaque {
	m.unknowns++
	return Opaque{By: by, ID: m.unknowns}
}

func (m *memory) newObject(t types.Type, cells []Value) Ptr {
	m.objs = append(m.objs, object{t, cells})
	return Ptr{Obj: int32(len(m.objs) - 1)}
}

func (m *memory) makeMap() Map {
	m.maps = append(m.maps, &dict{index: map[any]int{}})
	return Map{int32(len(m.maps))}
}

// at returns the map of a value that is not nil.
func (m *memory) at(v Map) *dict { return m.maps[v.ID-1] }

// older reports whether an object was there before New ran, or is a package's variable.
func (m *memory) older(obj int32) bool { return obj < m.objsBefore || m.vars[obj] }

// global returns the address of a package-level variable.
func (m *Machine) global(g *ssa.Global) Ptr {
	if p, ok := m.mem.globals[g]; ok {
		return p
	}
	elem := types.Unalias(g.Type()).Underlying().(*types.Pointer).Elem()
	if m.lay.cells(elem) > maxCells {
		panic(&Fault{Refused: true, Msg: fmt.Sprintf("the variable %s has more than %d words", g.Name(), maxCells), Pos: g.Pos(), prog: m.Prog})
	}
	cells := m.lay.zeros(nil, elem)
	if g.Pkg != nil && g.Pkg.Func("init") != nil && g.Pkg.Func("init").Blocks == nil {
		for i := range cells { // its initial value is not known
			o := m.mem.unknown(g.String())
			o.Foreign = true
			cells[i] = o
		}
	}
	m.mem.cells += len(cells)
	p := m.mem.newObject(elem, cells)
	m.mem.globals[g] = p
	m.mem.vars[p.Obj] = true
	return p
}

// collect frees the memory that New can no longer reach.
func (m *memory) collect(st *State) {
	reach := m.reach(st)
	m.cells = 0
	for i := range m.objs {
		if !reach[int32(i)] {
			m.objs[i].cells = nil
		}
		m.cells += len(m.objs[i].cells)
	}
}

// reach returns the objects that the given values lead to, the variables of
// packages, and those of the functions that run.
func (m *memory) reach(st *State, roots ...Value) map[int32]bool {
	for _, p := range m.globals {
		roots = append(roots, p)
	}
	for _, f := range st.frames {
		roots = append(roots, Agg(f.env))
		for _, d := range f.deferred {
			roots = append(roots, Agg(d.values))
		}
	}
	return m.reachFrom(roots)
}

// reachFrom returns the objects that values lead to, and, as negative numbers, the
// maps.
func (m *memory) reachFrom(roots []Value) map[int32]bool {
	reached := map[int32]bool{}
	queue := slices.Clone(roots)
	for i := 0; i < len(queue); i++ {
		scalars(queue[i], func(v Value) {
			switch v := v.(type) {
			case Ptr:
				if v.Obj > 0 && !reached[v.Obj] {
					reached[v.Obj] = true
					queue = append(queue, Agg(m.objs[v.Obj].cells))
				}
			case Map:
				if v.ID > 0 && !reached[-v.ID] {
					reached[-v.ID] = true
					queue = append(queue, Agg(m.at(v).keys), Agg(m.at(v).values))
				}
			}
		})
	}
	return reached
}
