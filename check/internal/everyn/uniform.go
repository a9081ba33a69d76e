package everyn

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"shmbench/check/internal/interp"
)

// uniform returns an error if the code of a lock may do something new for a larger n than the compared
// ones: an id, a loop index or n meets an operation or a constant that can tell large numbers apart.
// The machine has executed the code.
func uniform(m *interp.Machine, constructor *ssa.Function) error {
	f := &flows{m: m, executed: map[*ssa.Function]bool{}, reached: map[*ssa.Function]bool{}, parent: map[any]any{},
		args: map[*ssa.Parameter][]ssa.Value{}, stored: map[*types.Var][]ssa.Value{}}
	for _, fn := range m.Executed() {
		f.executed[fn] = true
	}
	f.reach(constructor)
	f.n = constructor.Params[0]
	f.id(f.n)
	for _, fn := range m.Passages() {
		f.reach(fn)
		f.id(fn.Params[1])
	}
	var remainders []*ssa.BinOp
	for fn := range f.reached {
		if isTrusted(packageOf(fn)) {
			continue
		}
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				if !m.Matters(in) {
					continue
				}
				f.instruction(in)
				if op, ok := in.(*ssa.BinOp); ok && (op.Op == token.REM || f.isSum(op)) {
					remainders = append(remainders, op)
				}
			}
		}
	}
	f.remainders(remainders)
	if met := f.first(); met != nil {
		name, line := m.Prog.Place(met.pos)
		return undecided("%s:%d: an id, a loop index or n meets %s, and the source was compared for %s only", name, line, met.what, InWords())
	}
	return nil
}

// first returns the first meeting of an id in the source.
func (f *flows) first() *meeting {
	ids, indexed := map[any]bool{}, map[any]bool{}
	for _, x := range f.ids {
		ids[f.root(x)] = true
	}
	for _, at := range f.indexed {
		indexed[f.root(at.value)] = true
	}
	all := slices.DeleteFunc(f.met, func(at meeting) bool { return !ids[f.root(at.value)] })
	all = append(all, slices.DeleteFunc(f.fixed, func(at meeting) bool { return !indexed[f.root(at.value)] })...)
	if len(all) == 0 {
		return nil
	}
	at := slices.MinFunc(all, func(a, b meeting) int {
		if a.pos != b.pos {
			return int(a.pos - b.pos)
		}
		return len(a.what) - len(b.what)
	})
	return &at
}

// instruction notes what an instruction does with values.
func (f *flows) instruction(in ssa.Instruction) {
	switch in := in.(type) {
	case ssa.CallInstruction:
		f.call(in)
	case *ssa.Phi:
		for _, edge := range in.Edges {
			f.join(in, edge, in.Parent().Pos())
			if op, ok := edge.(*ssa.BinOp); ok && (op.X == in || op.Y == in) && f.isSum(op) {
				f.id(in)
			}
		}
	case *ssa.BinOp:
		f.binOp(in)
	case *ssa.UnOp:
		f.join(in, in.X, in.Pos())
		if _, ok := in.X.(*ssa.Global); ok {
			f.length(in, 2, in.Pos())
		}
		if in.Op == token.SUB || in.Op == token.XOR {
			f.meets(in, in.Op.String(), in.Pos())
		}
	case *ssa.Store:
		f.join(in.Addr, in.Val, in.Pos())
		if at, ok := in.Addr.(*ssa.FieldAddr); ok {
			field := deref(at.X.Type()).Underlying().(*types.Struct).Field(at.Field).Origin()
			f.stored[field] = append(f.stored[field], in.Val)
		}
	case *ssa.FieldAddr:
		f.field(in, in.X, in.Field)
	case *ssa.Field:
		f.field(in, in.X, in.Field)
	case *ssa.IndexAddr:
		f.join(in, in.X, in.Pos())
		f.index(in.X, in.Index, in.Pos())
	case *ssa.Index:
		f.join(in, in.X, in.Pos())
		if _, array := in.X.Type().Underlying().(*types.Array); !array {
			f.meets(in.Index, "a string", in.Pos())
		}
		f.index(in.X, in.Index, in.Pos())
	case *ssa.MakeSlice:
		if c, ok := in.Len.(*ssa.Const); ok {
			f.length(in, c.Int64(), in.Pos())
		}
		f.id(in.Len)
	case *ssa.Slice:
		f.join(in, in.X, in.Pos())
		if array, ok := deref(in.X.Type()).Underlying().(*types.Array); ok {
			f.length(in, array.Len(), in.Pos())
		}
		for _, bound := range []ssa.Value{in.Low, in.High, in.Max} {
			if c, ok := bound.(*ssa.Const); ok {
				f.length(in, c.Int64(), in.Pos())
			} else if bound != nil {
				f.id(bound)
			}
		}
	case *ssa.Lookup:
		f.meets(in.Index, "a map", in.Pos())
	case *ssa.Convert:
		f.convert(in)
	case *ssa.ChangeType:
		f.join(in, in.X, in.Pos())
	case *ssa.MakeInterface:
		f.join(in, in.X, in.Pos())
	case *ssa.TypeAssert:
		f.join(in, in.X, in.Pos())
	case *ssa.Extract:
		f.extract(in)
	case *ssa.MakeClosure:
		for i, v := range in.Fn.(*ssa.Function).FreeVars {
			f.join(v, in.Bindings[i], in.Pos())
		}
	case *ssa.Return:
		for i, v := range in.Results {
			f.join(result{in.Parent(), i}, v, in.Pos())
		}
	}
}

// extract joins a value of a tuple with the results of the functions that return the tuple.
func (f *flows) extract(in *ssa.Extract) {
	call, ok := in.Tuple.(*ssa.Call)
	if !ok {
		f.join(in, in.Tuple, in.Pos())
		return
	}
	for _, fn := range f.callees(&call.Call) {
		f.join(in, result{fn, in.Index}, in.Pos())
	}
}

// convert notes a conversion to something that cannot hold each id of 2^31 processes.
func (f *flows) convert(in *ssa.Convert) {
	f.join(in, in.X, in.Pos())
	from, _ := in.X.Type().Underlying().(*types.Basic)
	to, _ := in.Type().Underlying().(*types.Basic)
	sizes := f.m.Prog.Sizes
	if from == nil || from.Info()&types.IsInteger == 0 {
		return
	}
	if to == nil || to.Info()&types.IsInteger == 0 || sizes.Sizeof(to) < min(4, sizes.Sizeof(from)) {
		f.meets(in, "a conversion to "+in.Type().String(), in.Pos())
	}
}

// isSum reports whether an operation adds or subtracts.
func (f *flows) isSum(op *ssa.BinOp) bool { return op.Op == token.ADD || op.Op == token.SUB }

// binOp notes what an operation on integers does, other than sums and remainders.
func (f *flows) binOp(op *ssa.BinOp) {
	b, ok := op.X.Type().Underlying().(*types.Basic)
	if !ok || b.Info()&types.IsInteger == 0 {
		return
	}
	switch op.Op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		f.join(op.X, op.Y, op.Pos())
	case token.ADD, token.SUB:
		f.join(op, op.X, op.Pos())
		f.join(op, op.Y, op.Pos())
	case token.REM:
		f.join(op, op.X, op.Pos())
	default:
		for _, x := range []ssa.Value{op, op.X, op.Y} {
			f.meets(x, op.Op.String(), op.Pos())
		}
	}
}

// remainders notes the sums and the remainders that are no step around a circle of n ids.
func (f *flows) remainders(all []*ssa.BinOp) {
	around := map[ssa.Value]bool{}
	for _, op := range all {
		if op.Op != token.REM {
			continue
		}
		if !f.isN(op.Y, nil) {
			for _, x := range []ssa.Value{op, op.X, op.Y} {
				f.meets(x, "%", op.Pos())
			}
			continue
		}
		f.around(op.X, around)
	}
	for _, op := range all {
		_, constantX := op.X.(*ssa.Const)
		_, constantY := op.Y.(*ssa.Const)
		switch {
		case op.Op == token.REM || around[op]:
		case !constantX && !constantY:
			f.meets(op, "a sum of two such numbers", op.Pos())
		case f.isSumOfConstant(op.X) || f.isSumOfConstant(op.Y):
			f.meets(op, "more than one constant", op.Pos())
		}
	}
}

// around notes the sums of a dividend to which n or constants are added.
func (f *flows) around(v ssa.Value, in map[ssa.Value]bool) {
	if op, ok := v.(*ssa.BinOp); ok && f.isSum(op) && (f.isN(op.Y, nil) || f.isConstant(op.Y, nil)) {
		in[op] = true
		f.around(op.X, in)
	}
}

// isSumOfConstant reports whether a value is a sum with a constant.
func (f *flows) isSumOfConstant(v ssa.Value) bool {
	if c, ok := v.(*ssa.Convert); ok {
		return f.isSumOfConstant(c.X)
	}
	op, ok := v.(*ssa.BinOp)
	if !ok || !f.isSum(op) {
		return false
	}
	_, x := op.X.(*ssa.Const)
	_, y := op.Y.(*ssa.Const)
	return x || y
}

// isConstant reports whether a value is a constant, or a parameter for which all callers give one. The
// values within are those that are being looked at.
func (f *flows) isConstant(v ssa.Value, within []ssa.Value) bool {
	if p, ok := v.(*ssa.Parameter); ok && !slices.Contains(within, v) {
		within = append(within, v)
		return len(f.args[p]) > 0 && !slices.ContainsFunc(f.args[p], func(arg ssa.Value) bool { return !f.isConstant(arg, within) })
	}
	_, ok := v.(*ssa.Const)
	return ok
}

// isN reports whether a value is n. The values within are those that are being looked at.
func (f *flows) isN(v ssa.Value, within []ssa.Value) bool {
	if slices.Contains(within, v) {
		return false
	}
	within = append(within, v)
	all := func(of []ssa.Value) bool {
		return len(of) > 0 && !slices.ContainsFunc(of, func(x ssa.Value) bool { return !f.isN(x, within) })
	}
	field := func(of types.Type, i int) bool {
		field := deref(of).Underlying().(*types.Struct).Field(i).Origin()
		return isTrusted(field.Pkg()) && field.Name() == "N" || all(f.stored[field])
	}
	switch v := v.(type) {
	case *ssa.Parameter:
		return v == f.n || all(f.args[v])
	case *ssa.Convert:
		return f.isN(v.X, within)
	case *ssa.Field:
		return field(v.X.Type(), v.Field)
	case *ssa.UnOp:
		at, ok := v.X.(*ssa.FieldAddr)
		return ok && v.Op == token.MUL && field(at.X.Type(), at.Field)
	}
	return false
}
