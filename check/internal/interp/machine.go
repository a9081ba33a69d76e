package interp

import (
	"context"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"

	"shmbench/check/internal/load"
)

// Machine is a lock built for n processes: the memory that New has left
// behind, and the code of the calls by which passages begin and end. It is not
// safe for concurrent use.
type Machine struct {
	Prog *load.Program
	N    int
	// Root is the lock that the methods of passages are called on.
	Root Iface

	ctx    context.Context
	limits limits
	word   map[types.BasicKind]int // bits of a word, where they are fewer than Go has
	*code
	mem     memory    // what New builds, and processes find
	methods methods   // found when the lock is built
	uses    uses      // learned from the accesses of processes
	heap    heap      // what processes share of their own memory
	counts  *counting // nil if no register holds counts
	delay   token.Pos
	quiet   func(Quiet)
}

// limits bound what is run and what is allocated.
type limits struct {
	steps int // instructions of New
	left  int // instructions of the processes, in all
	cells int // of all that is allocated
}

// code is what is known of types and functions. A machine and its forks share it.
type code struct {
	lay   *layouts
	fns   map[*ssa.Function]*fnInfo
	canon typeutil.Map // from a type to the one that stands for all identical ones
}

// typ returns the type that stands for all that are identical to t.
func (c *code) typ(t types.Type) types.Type {
	if same := c.canon.At(t); same != nil {
		return same.(types.Type)
	}
	c.canon.Set(t, t)
	return t
}

func (c *code) info(fn *ssa.Function) *fnInfo {
	f := c.fns[fn]
	if f == nil {
		f = newFnInfo(len(c.fns), fn)
		f.parts = c.lay.parts(fn)
		c.fns[fn] = f
	}
	return f
}

// New returns a machine without a lock: call Build next. It stops, with ctx's
// error, when ctx is done.
func New(ctx context.Context, prog *load.Program) *Machine {
	return &Machine{
		Prog: prog, ctx: ctx, limits: limits{steps: maxBuild, left: maxTotal, cells: maxCells},
		code: &code{lay: newLayouts(prog.Sizes), fns: map[*ssa.Function]*fnInfo{}},
		mem:  newMemory(), uses: newUses(), heap: newHeap(),
	}
}

// Word makes every integer type of the given kinds a word of that many bits,
// so that overflow can be seen. It must be called before Build.
func (m *Machine) Word(bits map[types.BasicKind]int) {
	m.word = bits
	if len(bits) > 0 {
		m.limits.steps = maxNarrow
	}
}

// cellBytes is about what a word of a lock's memory takes.
const cellBytes = 32

// Memory bounds what a lock may allocate, in bytes of the machine's own memory;
// 0 is no bound but the usual one. It must be called before Build.
func (m *Machine) Memory(bytes int64) {
	if bytes > 0 {
		m.limits.cells = int(min(bytes/cellBytes, maxCells))
	}
}

// Delay returns where a process passes the time, which is not interpreted, or
// token.NoPos.
func (m *Machine) Delay() token.Pos { return m.delay }
