package interp

import (
	"fmt"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"shmbench/check/internal/load"
)

// Machine is a lock built for n processes: the memory that New has left
// behind, and the code of Lock and Unlock. It is not safe for concurrent use.
type Machine struct {
	Prog *load.Program
	N    int
	// Lock and Unlock are the methods, Root is the lock they are called on.
	Root         Iface
	lock, unlock *ssa.Function

	lay     *layouts
	fns     map[*ssa.Function]*fnInfo
	objs    []object // objs[0] is unused
	before  int32    // objects below this number were there before New ran
	globals map[*ssa.Global]Ptr
	inited  map[*ssa.Package]bool
	cells   map[Ptr]*cell // cells of shared memory that a process has touched
	priv    [][]Ptr       // by process: the cells that are its own
	word    map[types.BasicKind]int
	quiet   func(Quiet)
}

// object is a variable of shared memory with its initial content.
type object struct {
	typ   types.Type
	cells []Value
}

// A Fault is why a process cannot go on.
type Fault struct {
	// Refused: the code does what cannot be modelled. Otherwise the code
	// itself fails: it panics, or runs for ever without a shared access.
	Refused bool
	Msg     string
	Pos     token.Pos
	prog    *load.Program
}

// Error says the fault and its file and line.
func (f *Fault) Error() string {
	if !f.Pos.IsValid() || f.prog == nil {
		return f.Msg
	}
	file, line := f.prog.Place(f.Pos)
	return fmt.Sprintf("%s:%d: %s", file, line, f.Msg)
}

// reclassified unwinds a run that has shown that a cell is not what it was
// taken for; everything learned under that assumption is void.
type reclassified struct{}

// New returns a machine without a lock: call Build next.
func New(prog *load.Program) *Machine {
	return &Machine{
		Prog: prog, lay: newLayouts(), fns: map[*ssa.Function]*fnInfo{}, objs: make([]object, 1),
		globals: map[*ssa.Global]Ptr{}, inited: map[*ssa.Package]bool{}, cells: map[Ptr]*cell{},
	}
}

// Word makes every integer type of the given kinds a word of that many bits,
// so that overflow can be seen. It must be called before Build.
func (m *Machine) Word(bits map[types.BasicKind]int) { m.word = bits }

func (m *Machine) info(fn *ssa.Function) *fnInfo {
	f := m.fns[fn]
	if f == nil {
		f = newFnInfo(len(m.fns), fn)
		m.fns[fn] = f
	}
	return f
}

func (m *Machine) newObject(t types.Type, cells []Value) Ptr {
	m.objs = append(m.objs, object{t, cells})
	return Ptr{Obj: int32(len(m.objs) - 1)}
}

// global returns the address of a package-level variable.
func (m *Machine) global(g *ssa.Global) Ptr {
	p, ok := m.globals[g]
	if !ok {
		elem := types.Unalias(g.Type()).Underlying().(*types.Pointer).Elem()
		cells := m.lay.zeros(nil, elem)
		if g.Pkg != nil && g.Pkg.Func("init") != nil && g.Pkg.Func("init").Blocks == nil {
			for i := range cells { // its initial value is not known
				cells[i] = Opaque{g.String()}
			}
		}
		p = m.newObject(elem, cells)
		m.globals[g] = p
	}
	return p
}
