package everyn

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"shmbench/check/internal/interp"
)

// flows has the values of the code of a lock in classes. Values that are compared, added, or stored in
// the same field are in one class. So are an address, and what is at it.
type flows struct {
	m                 *interp.Machine
	executed, reached map[*ssa.Function]bool
	parent            map[any]any // of values, fields, and results of functions
	ids               []any       // ids, loop indexes, and n
	met               []meeting
	fixed, indexed    []meeting // containers whose length does not depend on n, and those that ids index
	args              map[*ssa.Parameter][]ssa.Value
	stored            map[*types.Var][]ssa.Value
	n                 *ssa.Parameter
}

// meeting is what a value meets somewhere.
type meeting struct {
	value any
	what  string
	pos   token.Pos
}

// result is a result of a function.
type result struct {
	fn *ssa.Function
	i  int
}

func (f *flows) root(x any) any {
	for f.parent[x] != nil {
		x = f.parent[x]
	}
	return x
}

// join puts two values into one class. A constant only meets the other one.
func (f *flows) join(a, b any, pos token.Pos) {
	ca, isA := a.(*ssa.Const)
	cb, isB := b.(*ssa.Const)
	switch {
	case isA && isB:
	case isA:
		f.constant(b, ca, pos)
	case isB:
		f.constant(a, cb, pos)
	default:
		if a, b = f.root(a), f.root(b); a != b {
			f.parent[a] = b
		}
	}
}

// constant notes that a value meets a constant other than -1, 0 and 1.
func (f *flows) constant(x any, c *ssa.Const, pos token.Pos) {
	if c.Value == nil || c.Value.Kind() != constant.Int {
		return
	}
	if v, exact := constant.Int64Val(c.Value); !exact || v < -1 || v > 1 {
		f.meets(x, "the constant "+c.Value.String(), pos)
	}
}

func (f *flows) meets(x any, what string, pos token.Pos) {
	if _, ok := x.(*ssa.Const); !ok {
		f.met = append(f.met, meeting{x, what, pos})
	}
}

// id notes that a value is an id, a loop index, or n.
func (f *flows) id(x ssa.Value) {
	if _, ok := x.(*ssa.Const); !ok && x != nil {
		f.ids = append(f.ids, x)
	}
}

// index notes that a container is indexed.
func (f *flows) index(container, by ssa.Value, pos token.Pos) {
	if _, ok := by.(*ssa.Const); !ok {
		f.id(by)
		f.indexed = append(f.indexed, meeting{container, "", pos})
	}
	if array, ok := deref(container.Type()).Underlying().(*types.Array); ok {
		f.length(container, array.Len(), pos)
	}
	if _, ok := container.(*ssa.Global); ok {
		f.length(container, 2, pos)
	}
}

// length notes that a container has a length that does not depend on n.
func (f *flows) length(container any, length int64, pos token.Pos) {
	if length > 1 {
		f.fixed = append(f.fixed, meeting{container, "an array whose length does not depend on n", pos})
	}
}

func deref(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// field joins a part of a struct with the field, in whatever struct of its type. The registers of
// trusted packages are one with their parts.
func (f *flows) field(v, of ssa.Value, i int) {
	s := deref(of.Type()).Underlying().(*types.Struct)
	field := s.Field(i).Origin()
	switch {
	case !isTrusted(field.Pkg()):
		f.join(v, field, v.Pos())
	case field.Name() == "N":
		f.id(v) // of shm.Build
	default:
		f.join(v, of, v.Pos())
	}
}

// call joins arguments and results with what the called functions have.
func (f *flows) call(in ssa.CallInstruction) {
	c, v := in.Common(), in.Value()
	if b, ok := c.Value.(*ssa.Builtin); ok {
		f.builtin(b.Name(), c.Args, v)
		return
	}
	for _, fn := range f.callees(c) {
		args := c.Args
		if c.IsInvoke() {
			args = append([]ssa.Value{c.Value}, args...)
		}
		switch {
		case isTrusted(packageOf(fn)):
			f.trusted(fn, args, v)
		case !f.reached[fn]:
			for _, arg := range args {
				f.meets(arg, "the function "+fn.String(), in.Pos())
			}
			f.meets(v, "the function "+fn.String(), in.Pos())
		default:
			for i, p := range fn.Params {
				f.join(p, args[i], in.Pos())
				f.args[p] = append(f.args[p], args[i])
			}
			if v != nil {
				f.join(v, result{fn, 0}, in.Pos())
			}
		}
	}
}

// trusted joins what a call of a trusted package does: a register has what is stored in it.
func (f *flows) trusted(fn *ssa.Function, args []ssa.Value, v *ssa.Call) {
	name, of := fn.Name(), packageOf(fn).Name()
	if origin := fn.Origin(); origin != nil {
		name = origin.Name()
	}
	switch {
	case of == "shm" && name == "NewArray":
		if c, ok := args[0].(*ssa.Const); ok {
			f.length(v, c.Int64(), v.Pos())
		}
		f.id(args[0])
	case of == "shm" && name == "At":
		f.join(v, args[0], v.Pos())
		f.index(args[0], args[1], v.Pos())
	case of == "shm" && name == "Len":
		f.id(v)
	case of == "atomic" || of == "register":
		for _, arg := range args[min(1, len(args)):] {
			if !isBool(arg.Type()) {
				f.join(arg, args[0], fn.Pos())
			}
			if name == "And" || name == "Or" {
				f.meets(args[0], name, arg.Pos())
			}
		}
		if v != nil && !isBool(v.Type()) && len(args) > 0 {
			f.join(v, args[0], v.Pos())
		}
	}
}

func isBool(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

func (f *flows) builtin(name string, args []ssa.Value, v *ssa.Call) {
	switch name {
	case "len", "cap":
		f.id(v)
	case "append", "copy", "min", "max":
		for _, arg := range args {
			f.join(v, arg, v.Pos())
			if name == "min" || name == "max" {
				f.meets(v, name, v.Pos())
			}
		}
	}
}
