package interp

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

func (r *run) constant(c *ssa.Const) Value {
	if c.Value == nil {
		return r.zero(c.Type())
	}
	b, ok := c.Type().Underlying().(*types.Basic)
	if !ok {
		return Opaque{By: "the constant " + c.String()}
	}
	switch {
	case b.Info()&types.IsBoolean != 0:
		return boolean(constant.BoolVal(c.Value))
	case b.Info()&types.IsString != 0:
		return constant.StringVal(c.Value)
	case b.Info()&types.IsInteger != 0:
		n := Num(c.Int64())
		if b.Info()&types.IsUnsigned != 0 {
			n = Num(c.Uint64())
		}
		return r.word(b, n)
	}
	return Opaque{By: "the constant " + c.String()}
}

// zero returns the zero value of type t.
func (r *run) zero(t types.Type) Value {
	if r.m.lay.cells(t) > maxCells {
		r.refuse("uses a value of more than %d words", maxCells)
	}
	return r.m.lay.zero(t)
}

// narrow reports whether the machine that the code is built for has words of 32
// bits.
func (m *Machine) narrow() bool { return m.Prog.Sizes.Sizeof(types.Typ[types.Uintptr]) == 4 }

func boolean(b bool) Num {
	if b {
		return 1
	}
	return 0
}

// eval computes an instruction that yields a value. A load that is a step
// leaves r.access set.
func (r *run) eval(fr *frame, in ssa.Value) Value {
	get := func(v ssa.Value) Value { return r.get(fr, v) }
	lay := r.m.lay
	switch in := in.(type) {
	case *ssa.Alloc:
		return r.alloc(in.Type().Underlying().(*types.Pointer).Elem(), nil)
	case *ssa.UnOp:
		return r.unop(fr, in)
	case *ssa.BinOp:
		return r.binary(in, get(in.X), get(in.Y))
	case *ssa.FieldAddr:
		s := in.X.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct)
		return r.offset(get(in.X), lay.offsets(s)[in.Field])
	case *ssa.Field:
		return r.component(in.Type(), get(in.X), lay.offsets(in.X.Type().Underlying().(*types.Struct))[in.Field])
	case *ssa.Extract:
		return r.component(in.Type(), get(in.Tuple), lay.tupleOff(in.Tuple.Type().(*types.Tuple), in.Index))
	case *ssa.IndexAddr:
		return r.indexAddr(in.X.Type(), get(in.X), get(in.Index))
	case *ssa.Index:
		return r.index(in.X.Type(), in.Type(), get(in.X), get(in.Index))
	case *ssa.Lookup:
		if _, isMap := in.X.Type().Underlying().(*types.Map); isMap {
			return r.lookup(fr, in)
		}
		return r.index(in.X.Type(), in.Type(), get(in.X), get(in.Index))
	case *ssa.Slice:
		return r.slice(fr, in)
	case *ssa.Convert:
		return r.convert(in.X.Type(), in.Type(), get(in.X))
	case *ssa.ChangeType:
		return get(in.X)
	case *ssa.ChangeInterface:
		return get(in.X)
	case *ssa.MakeInterface:
		return Iface{r.m.typ(in.X.Type()), get(in.X)}
	case *ssa.TypeAssert:
		return r.typeAssert(in, get(in.X))
	case *ssa.MakeClosure:
		c := &Closure{Fn: in.Fn.(*ssa.Function)}
		for _, b := range in.Bindings {
			c.Free = append(c.Free, get(b))
		}
		return c
	case *ssa.MakeSlice:
		return r.makeSlice(in.Type().Underlying().(*types.Slice).Elem(), get(in.Len), get(in.Cap))
	case *ssa.SliceToArrayPointer:
		return r.toArray(in.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Array), get(in.X))
	case *ssa.MakeMap:
		if r.pid >= 0 {
			r.refuse("makes a map")
		}
		return r.m.mem.makeMap()
	case *ssa.MakeChan:
		return r.unmodeled("makes a channel")
	case *ssa.Select:
		return r.unmodeled("selects on channels")
	case *ssa.Range, *ssa.Next:
		return r.unmodeled("ranges over a map or a string")
	}
	return r.unmodeled("cannot be modeled: " + in.String())
}

// binary computes an operation on two operands. It refuses to compare addresses that
// may or may not be equal.
func (r *run) binary(in *ssa.BinOp, x, y Value) Value {
	switch in.Op {
	case token.SHL, token.SHR:
		if r.m.narrowed(in.Type()) {
			return r.unmodeled("shifts a " + typeString(in.Type()))
		}
		if n, ok := y.(Num); ok && int64(n) < 0 && r.m.bits(in.Y.Type()) < 0 {
			r.fail("negative shift amount: %d", int64(n))
		}
	case token.EQL, token.NEQ:
		r.refuseSizeless(in.X.Type(), x, y)
	}
	return r.binop(in.Op, in.X.Type(), x, y)
}

// unmodeled refuses, except while the lock is built, where the value may well
// never be used.
func (r *run) unmodeled(what string) Value {
	if r.pid >= 0 {
		r.refuse("%s", what)
	}
	file, line := r.m.Prog.Place(r.where())
	return r.m.mem.unknown("the outcome of code that " + what + " at " + fmt.Sprintf("%s:%d", file, line))
}

// component returns the part of type t that begins at a cell of an aggregate.
func (r *run) component(t types.Type, v Value, off int32) Value {
	a, ok := v.(Agg)
	if !ok {
		return r.opaque(v)
	}
	return pack(t, a[off:off+r.m.lay.cells(t)])
}

func (r *run) offset(v Value, by int32) Value {
	p, ok := v.(Ptr)
	if !ok {
		return r.opaque(v)
	}
	if p.Obj == 0 {
		r.fail("nil pointer dereference")
	}
	return Ptr{p.Obj, p.Off + by}
}

func (r *run) indexAddr(t types.Type, x, i Value) Value {
	n, ok := i.(Num)
	if !ok {
		return r.opaque(i)
	}
	switch u := t.Underlying().(type) {
	case *types.Slice:
		s, ok := x.(Slice)
		if !ok {
			return r.opaque(x)
		}
		r.bounds(n, int(s.Len))
		return Ptr{s.P.Obj, s.P.Off + int32(n)*r.m.lay.cells(u.Elem())}
	case *types.Pointer:
		a := u.Elem().Underlying().(*types.Array)
		r.bounds(n, int(a.Len()))
		return r.offset(x, int32(n)*r.m.lay.cells(a.Elem()))
	}
	return r.unmodeled("indexes a " + t.String())
}

func (r *run) index(t, elem types.Type, x, i Value) Value {
	n, ok := i.(Num)
	if !ok {
		return r.opaque(i)
	}
	switch x := x.(type) {
	case string:
		r.bounds(n, len(x))
		return Num(x[n])
	case Agg:
		r.bounds(n, int(t.Underlying().(*types.Array).Len()))
		return r.component(elem, x, int32(n)*r.m.lay.cells(elem))
	}
	return r.opaque(x)
}

func (r *run) bounds(i Num, n int) {
	if int64(i) < 0 || int64(i) >= int64(n) {
		r.fail("index out of range: %d with length %d", int64(i), n)
	}
}

func (r *run) typeAssert(in *ssa.TypeAssert, x Value) Value {
	i, ok := x.(Iface)
	if !ok {
		return r.opaque(x)
	}
	holds := false
	if i.T != nil {
		if to, isI := in.AssertedType.Underlying().(*types.Interface); isI {
			holds = types.Implements(i.T, to)
		} else {
			holds = types.Identical(i.T, in.AssertedType)
		}
	}
	v := r.zero(in.AssertedType)
	if holds {
		v = i.V
		if types.IsInterface(in.AssertedType) {
			v = i
		}
	} else if !in.CommaOk {
		r.fail("type assertion to %s fails", in.AssertedType)
	}
	if in.CommaOk {
		return append(append(Agg{}, flat(v)...), boolean(holds))
	}
	return v
}

func (r *run) unop(fr *frame, in *ssa.UnOp) Value {
	x := r.get(fr, in.X)
	switch in.Op {
	case token.MUL:
		p, ok := x.(Ptr)
		if !ok {
			return r.opaque(x)
		}
		var v Value
		of, ok := fr.f.parts[in]
		r.copying(ok, func() {
			if ok {
				v = r.loadPart(p, in.Type(), of)
			} else {
				v = r.load(p, in.Type())
			}
		})
		return v
	case token.ARROW:
		return r.unmodeled("receives from a channel")
	}
	if f, ok := x.(Forgotten); ok {
		return f
	}
	n, ok := x.(Num)
	if !ok {
		return r.opaque(x)
	}
	switch in.Op {
	case token.NOT:
		return n ^ 1
	case token.SUB:
		return truncate(-n, r.m.bits(in.Type()))
	case token.XOR:
		return truncate(^n, r.m.bits(in.Type()))
	}
	return r.unmodeled("cannot be modeled: " + in.String())
}
