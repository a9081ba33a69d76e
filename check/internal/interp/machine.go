package interp

import (
	"context"
	"fmt"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"

	"shmbench/check/internal/load"
	"shmbench/shm"
)

// Machine is a lock built for n processes: the memory that New has left
// behind, and the code of the calls by which passages begin and end. It is not
// safe for concurrent use.
type Machine struct {
	Prog *load.Program
	N    int
	// Root is the lock that the methods of passages are called on.
	Root     Iface
	mixed    bool
	modes    []shm.Mode
	unmade   []string
	passages []offer

	lay      *layouts
	fns      map[*ssa.Function]*fnInfo
	objs     []object // objs[0] is unused
	before   int32    // objects below this number were there before New ran
	globals  map[*ssa.Global]Ptr
	variable map[int32]bool // objects that are variables of packages
	inited   map[*ssa.Package]bool
	listed   map[string]Value // by function, the cards that it has listed
	cells    map[Ptr]*cell    // cells of shared memory that a process has touched
	priv     [][]Ptr          // by process: the cells that are its own
	heap     heap
	maps     []*dict
	// mapsBefore is how many maps were there before New ran.
	mapsBefore int32
	word       map[types.BasicKind]int
	quiet      func(Quiet)
	frozen     bool

	ctx       context.Context
	maxSteps  int          // of New
	left      int          // instructions of the processes, in all
	delay     token.Pos    // where a process passes the time
	maxCells  int          // of all that is allocated
	canon     typeutil.Map // from a type to the one that stands for all identical ones
	unknowns  int32        // values that are not known, so far
	allocated int          // cells
	aliases   []alias
	puns      bool         // addresses are stored as addresses of another type
	counts    bool         // New has written what was there before
	forgotten map[Ptr]bool // cells that are assumed to make no difference
	matter    map[Ptr]bool // cells that have been seen to make one
}

// object is a variable of shared memory with its initial content.
type object struct {
	typ   types.Type
	cells []Value
}

// A Fault is why a process cannot go on.
type Fault struct {
	// Refused: the code does what cannot be modelled. Otherwise the code
	// itself fails: it panics, or, if Endless, runs for ever without a shared
	// access. Open: it was stopped at a bound; Refused is set as well.
	Refused bool
	Endless bool
	Open    bool
	Msg     string
	Pos     token.Pos
	In      string // the function that Pos is in, as the main package calls it
	prog    *load.Program
}

// Error says the fault and its file, line and function.
func (f *Fault) Error() string {
	if !f.Pos.IsValid() || f.prog == nil {
		return f.Msg
	}
	return f.place() + ": " + f.Msg
}

// place is the file, line and function of the fault.
func (f *Fault) place() string {
	file, line := f.prog.Place(f.Pos)
	if f.In == "" {
		return fmt.Sprintf("%s:%d", file, line)
	}
	return fmt.Sprintf("%s:%d: %s", file, line, f.In)
}

// reclassified unwinds a run that has shown that a cell is not what it was
// taken for; everything learned under that assumption is void.
type reclassified struct{}

// interrupted unwinds a run whose context is done.
type interrupted struct{ err error }

// New returns a machine without a lock: call Build next. It stops, with ctx's
// error, when ctx is done.
func New(ctx context.Context, prog *load.Program) *Machine {
	return &Machine{
		Prog: prog, lay: newLayouts(prog.Sizes), fns: map[*ssa.Function]*fnInfo{}, objs: make([]object, 1),
		globals: map[*ssa.Global]Ptr{}, variable: map[int32]bool{}, inited: map[*ssa.Package]bool{}, listed: map[string]Value{}, cells: map[Ptr]*cell{},
		ctx: ctx, maxSteps: maxBuild, left: maxTotal, maxCells: maxCells, forgotten: map[Ptr]bool{}, matter: map[Ptr]bool{},
		heap: heap{of: map[int32]int{}},
	}
}

// Word makes every integer type of the given kinds a word of that many bits,
// so that overflow can be seen. It must be called before Build.
func (m *Machine) Word(bits map[types.BasicKind]int) {
	m.word = bits
	if len(bits) > 0 {
		m.maxSteps = maxNarrow
	}
}

// cellBytes is about what a word of a lock's memory takes.
const cellBytes = 32

// Memory bounds what a lock may allocate, in bytes of the machine's own memory;
// 0 is no bound but the usual one. It must be called before Build.
func (m *Machine) Memory(bytes int64) {
	if bytes > 0 {
		m.maxCells = int(min(bytes/cellBytes, maxCells))
	}
}

// typ returns the type that stands for all that are identical to t.
func (m *Machine) typ(t types.Type) types.Type {
	if same := m.canon.At(t); same != nil {
		return same.(types.Type)
	}
	m.canon.Set(t, t)
	return t
}

// unknown returns a value that is not known, though it may lead to what is.
func (m *Machine) unknown(by string) Opaque {
	m.unknowns++
	return Opaque{By: by, ID: m.unknowns}
}

// Owner returns the process that has a cell to itself, if one has.
func (m *Machine) Owner(p Ptr) (pid int, ok bool) {
	if c := m.cells[p]; c != nil && c.kind == private {
		return c.owner, true
	}
	return 0, false
}

// Private returns the cells of shared memory that only one process uses.
func (m *Machine) Private(pid int) []Ptr { return m.priv[pid] }

// Forget assumes that nothing depends on what the given cells hold, as far as
// they hold numbers and nothing has been seen to depend on them. It reports
// whether that is new of one of them.
func (m *Machine) Forget(cells []Ptr) bool {
	fresh := false
	for _, p := range cells {
		if p.Obj == 0 || m.forgotten[p] || m.matter[p] {
			continue
		}
		if _, number := m.objs[p.Obj].cells[p.Off].(Num); number {
			m.forgotten[p], fresh = true, true
		}
	}
	return fresh
}

// Need keeps a cell from being forgotten.
func (m *Machine) Need(p Ptr) { m.matter[p] = true }

// Forgotten reports whether a cell grows without bound, and nothing depends on
// what it holds.
func (m *Machine) Forgotten(p Ptr) bool { return m.forgotten[p] }

// Delay returns where a process passes the time, which is not interpreted, or
// token.NoPos.
func (m *Machine) Delay() token.Pos { return m.delay }

func (m *Machine) info(fn *ssa.Function) *fnInfo {
	f := m.fns[fn]
	if f == nil {
		f = newFnInfo(len(m.fns), fn)
		f.parts = m.parts(fn)
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
		if m.lay.cells(elem) > maxCells {
			panic(&Fault{Refused: true, Msg: fmt.Sprintf("the variable %s has more than %d words", g.Name(), maxCells), Pos: g.Pos(), prog: m.Prog})
		}
		cells := m.lay.zeros(nil, elem)
		if g.Pkg != nil && g.Pkg.Func("init") != nil && g.Pkg.Func("init").Blocks == nil {
			for i := range cells { // its initial value is not known
				o := m.unknown(g.String())
				o.Foreign = true
				cells[i] = o
			}
		}
		m.allocated += len(cells)
		p = m.newObject(elem, cells)
		m.globals[g] = p
		m.variable[p.Obj] = true
	}
	return p
}
