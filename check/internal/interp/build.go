package interp

import (
	"fmt"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// caught returns what a run has panicked with as an error: a *Fault, ErrReclassified, or the
// reason for an interruption. It panics again with anything else.
func caught(x any) error {
	switch x := x.(type) {
	case *Fault:
		return x
	case reclassified:
		return ErrReclassified
	case interrupted:
		return x.err
	}
	panic(x)
}

// call runs a function to its end while the lock is being built.
func (m *Machine) call(fn *ssa.Function, args, free []Value) (v Value, err error) {
	defer func() {
		if x := recover(); x != nil {
			err = caught(x)
		}
	}()
	r := &run{m: m, pid: -1, st: &State{}, pos: fn.Pos()}
	r.push(fn, args, free)
	r.finish()
	return r.result, nil
}

// Init runs the initialization of the program's packages.
func (m *Machine) Init() error {
	init := m.Prog.Main.Func("init")
	m.mem.inited[m.Prog.Main] = true
	_, err := m.call(init, nil, nil)
	return err
}

// Constructor returns the function of the main package that builds the lock.
func (m *Machine) Constructor(name string) (*Closure, error) {
	fn := m.Prog.Main.Func(name)
	switch {
	case fn == nil && m.Prog.Main.Members[name] != nil:
		return nil, fmt.Errorf("%s of package %s is no function: the checker takes the one that builds the lock, such as New; check.Run in a test compares the lock with a specification",
			name, m.Prog.Main.Pkg.Path())
	case fn == nil:
		return nil, fmt.Errorf("package %s has no function %s", m.Prog.Main.Pkg.Path(), name)
	}
	return &Closure{Fn: fn}, nil
}

// Spec calls the function of the main package that lists algorithm specifications and
// returns the New of the one with the given name. The list may hold the specifications
// inside other structs. The function may take a [][]int, which is paths then. A machine
// and its forks make a list once.
func (m *Machine) Spec(list, name string, paths ...[]int) (*Closure, error) {
	c, err := m.Constructor(list)
	if err != nil {
		return nil, err
	}
	if c.Fn.Signature.Params().Len() != min(1, len(paths)) {
		return nil, fmt.Errorf("%s.%s takes other parameters than the paths of processes", m.Prog.Main.Pkg.Path(), list)
	}
	key := fmt.Sprint(list, paths)
	v, ok := m.mem.listed[key]
	if !ok {
		if v, err = m.call(c.Fn, m.paths(paths), nil); err != nil {
			return nil, err
		}
		m.mem.listed[key] = v
	}
	if found := m.findSpec(c.Fn.Signature.Results().At(0).Type(), v, name); found != nil {
		return found, nil
	}
	return nil, fmt.Errorf("%s.%s lists no algorithm %q", m.Prog.Main.Pkg.Path(), list, name)
}

// paths returns a [][]int as the one argument of a call, or no argument for none.
func (m *Machine) paths(paths [][]int) []Value {
	if len(paths) == 0 {
		return nil
	}
	slice := func(elem types.Type, cells []Value) Value {
		n := int32(len(cells))
		return Slice{P: m.mem.newObject(types.NewArray(elem, int64(n)), cells), Len: n, Cap: n}
	}
	number := types.Typ[types.Int]
	var all []Value
	for _, path := range paths {
		var cells []Value
		for _, at := range path {
			cells = append(cells, Num(at))
		}
		all = append(all, slice(number, cells))
	}
	return []Value{slice(types.NewSlice(number), all)}
}

func (m *Machine) findSpec(t types.Type, v Value, name string) *Closure {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		s, _ := v.(Slice)
		if s.P.Obj <= 0 {
			return nil
		}
		size := m.lay.cells(u.Elem())
		for i := range s.Len {
			off := s.P.Off + i*size
			elem := pack(u.Elem(), m.mem.objs[s.P.Obj].cells[off:off+size])
			if c := m.findSpec(u.Elem(), elem, name); c != nil {
				return c
			}
		}
	case *types.Struct:
		a, _ := v.(Agg)
		field := map[string]Value{}
		for f, at := range m.lay.fields(u) {
			fv := pack(f.Type(), a[at:at+m.lay.cells(f.Type())])
			field[f.Name()] = fv
			if c := m.findSpec(f.Type(), fv, name); c != nil {
				return c
			}
		}
		if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Name() == "Algorithm" && field["Name"] == name {
			c, _ := field["New"].(*Closure)
			return c
		}
	}
	return nil
}

// NotBuiltError says that a constructor has returned an error.
type NotBuiltError struct {
	Constructor string
	N           int
}

func (e *NotBuiltError) Error() string {
	return fmt.Sprintf("%s(%d) returns an error: it cannot build a lock for %d processes", e.Constructor, e.N, e.N)
}

// Further returns the types of a constructor's parameters after n, which are number
// types of package shm. It returns false if a parameter has another type, or if there is
// no n.
func Further(sig *types.Signature) (further []*types.Named, ok bool) {
	params := sig.Params()
	if params.Len() == 0 || sig.Variadic() || !types.Identical(params.At(0).Type(), types.Typ[types.Int]) {
		return nil, false
	}
	for i := 1; i < params.Len(); i++ {
		t, named := types.Unalias(params.At(i).Type()).(*types.Named)
		if !named || t.Obj().Pkg() == nil || t.Obj().Pkg().Path() != "shmbench/shm" {
			return nil, false
		}
		if basic, number := t.Underlying().(*types.Basic); !number || basic.Info()&types.IsInteger == 0 {
			return nil, false
		}
		further = append(further, t)
	}
	return further, true
}

// Build builds the lock for n processes.
func (m *Machine) Build(c *Closure, n int) error {
	sig := c.Fn.Signature
	res := sig.Results()
	further, ok := Further(sig)
	if !ok || res.Len() < 1 || res.Len() > 2 || sig.TypeParams().Len() > 0 {
		return fmt.Errorf("%s is not a constructor: it must be a func(n int) T or func(n int) (T, error) without type parameters; "+
			"further parameters may only be numbers of package shm, such as shm.Layout, which are 0 here", c.Fn.Name())
	}
	args := []Value{Num(n)}
	for range further {
		args = append(args, Num(0))
	}
	m.mem.objsBefore, m.mem.mapsBefore = int32(len(m.mem.objs)), int32(len(m.mem.maps))
	v, err := m.call(c.Fn, args, c.Free)
	if err != nil {
		return fmt.Errorf("cannot build the lock: %w", err)
	}
	t := res.At(0).Type()
	if res.Len() == 2 {
		all, ok := v.(Agg)
		if !ok {
			return fmt.Errorf("%s(%d) returns what cannot be modeled: %v", c.Fn.Name(), n, v)
		}
		size := m.lay.cells(t)
		v = pack(t, all[:size])
		if e, ok := all[size].(Iface); !ok || e.T != nil {
			return &NotBuiltError{c.Fn.Name(), n}
		}
	}
	root, isIface := v.(Iface)
	if !isIface {
		root = Iface{m.typ(t), v}
	}
	if root.T == nil {
		return fmt.Errorf("%s(%d) returns nil", c.Fn.Name(), n)
	}
	m.N, m.Root, m.uses.priv = n, root, make([][]Ptr, n)
	reach := m.mem.reach(&State{}, root.V)
	m.mem.aliases = slices.DeleteFunc(m.mem.aliases, func(a alias) bool { return !reach[a.a.Obj] || !reach[a.b.Obj] })
	return m.find()
}

// Initial returns the content of a cell when the lock has just been built.
func (m *Machine) Initial(p Ptr) Value {
	if m.uses.forgotten[p] {
		return Forgotten{p}
	}
	return m.counts.first(p, m.mem.objs[p.Obj].cells[p.Off])
}

// Outlives reports whether processes write memory that was there before New
// ran, such as a package's variable, or whether New does: it stays when the
// lock is built again.
func (m *Machine) Outlives() bool {
	if m.mem.outlives {
		return true
	}
	for p, c := range m.uses.cells {
		if m.mem.older(p.Obj) && c.kind != unwritten {
			return true
		}
	}
	return false
}

// Shared reports whether accesses to a cell are steps.
func (m *Machine) Shared(p Ptr) bool {
	c := m.uses.cells[p]
	return c != nil && c.kind == shared
}
