package interp

import (
	"go/constant"
	"go/token"
	"go/types"
	"math"

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
		if b.Info()&types.IsUnsigned != 0 {
			return truncate(Num(c.Uint64()), r.m.bits(b))
		}
		return truncate(Num(c.Int64()), r.m.bits(b))
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

// longest returns how many elements of a size a slice may have: not more than an
// int can count, and not more memory than Go allocates.
func (m *Machine) longest(size int64) int64 {
	most, bytes := int64(math.MaxInt64), int64(1)<<48
	if m.narrow() {
		most, bytes = math.MaxInt32, 1<<32
	}
	if size == 0 {
		return most
	}
	return min(most, bytes/size)
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
	lay := r.m.lay
	switch in := in.(type) {
	case *ssa.Alloc:
		elem := in.Type().Underlying().(*types.Pointer).Elem()
		return r.alloc(elem, nil)
	case *ssa.UnOp:
		return r.unop(fr, in)
	case *ssa.BinOp:
		y := r.get(fr, in.Y)
		if in.Op == token.SHL || in.Op == token.SHR {
			if n, ok := y.(Num); ok && int64(n) < 0 && r.m.bits(in.Y.Type()) < 0 {
				r.fail("negative shift amount: %d", int64(n))
			}
		}
		if in.Op == token.EQL || in.Op == token.NEQ {
			r.apart(in.X.Type(), r.get(fr, in.X), y)
		}
		return r.binop(in.Op, in.X.Type(), r.get(fr, in.X), y)
	case *ssa.FieldAddr:
		s := in.X.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct)
		return r.offset(r.get(fr, in.X), lay.offsets(s)[in.Field])
	case *ssa.Field:
		s := in.X.Type().Underlying().(*types.Struct)
		a, ok := r.get(fr, in.X).(Agg)
		if !ok {
			return r.opaque(r.get(fr, in.X))
		}
		offs := lay.offsets(s)
		return r.component(in.Type(), a, offs[in.Field])
	case *ssa.Extract:
		a, ok := r.get(fr, in.Tuple).(Agg)
		if !ok {
			return r.opaque(r.get(fr, in.Tuple))
		}
		return r.component(in.Type(), a, lay.tupleOff(in.Tuple.Type().(*types.Tuple), in.Index))
	case *ssa.IndexAddr:
		return r.indexAddr(in.X.Type(), r.get(fr, in.X), r.get(fr, in.Index))
	case *ssa.Index:
		return r.index(in.X.Type(), in.Type(), r.get(fr, in.X), r.get(fr, in.Index))
	case *ssa.Lookup:
		if _, isMap := in.X.Type().Underlying().(*types.Map); isMap {
			return r.lookup(fr, in)
		}
		return r.index(in.X.Type(), in.Type(), r.get(fr, in.X), r.get(fr, in.Index))
	case *ssa.Slice:
		return r.slice(fr, in)
	case *ssa.Convert:
		return r.convert(in.X.Type(), in.Type(), r.get(fr, in.X))
	case *ssa.ChangeType:
		return r.get(fr, in.X)
	case *ssa.ChangeInterface:
		return r.get(fr, in.X)
	case *ssa.MakeInterface:
		return Iface{r.m.typ(in.X.Type()), r.get(fr, in.X)}
	case *ssa.TypeAssert:
		return r.typeAssert(in, r.get(fr, in.X))
	case *ssa.MakeClosure:
		c := &Closure{Fn: in.Fn.(*ssa.Function)}
		for _, b := range in.Bindings {
			c.Free = append(c.Free, r.get(fr, b))
		}
		return c
	case *ssa.MakeSlice:
		n, ok := r.get(fr, in.Len).(Num)
		c, ok2 := r.get(fr, in.Cap).(Num)
		if !ok || !ok2 {
			r.kept(r.get(fr, in.Len))
			r.kept(r.get(fr, in.Cap))
			return r.unmodelled("makes a slice of unknown length")
		}
		elem := in.Type().Underlying().(*types.Slice).Elem()
		most := r.m.longest(r.m.Prog.Sizes.Sizeof(elem))
		switch {
		case int64(n) < 0 || int64(n) > most:
			r.fail("makes a slice of length %d", int64(n))
		case int64(c) < int64(n) || int64(c) > most:
			r.fail("makes a slice of capacity %d", int64(c))
		case c > math.MaxInt32:
			r.refuse("makes a slice of %d elements", c)
		}
		return Slice{P: r.alloc(types.NewArray(elem, int64(c)), nil), Len: int32(n), Cap: int32(c)}
	case *ssa.MakeMap:
		if r.pid >= 0 {
			r.refuse("makes a map")
		}
		return r.m.mem.makeMap()
	case *ssa.MakeChan:
		return r.unmodelled("makes a channel")
	case *ssa.Select:
		return r.unmodelled("selects on channels")
	case *ssa.Range, *ssa.Next:
		return r.unmodelled("ranges over a map or a string")
	case *ssa.SliceToArrayPointer:
		s, ok := r.get(fr, in.X).(Slice)
		if !ok {
			return r.opaque(r.get(fr, in.X))
		}
		if n := in.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Array).Len(); n > int64(s.Len) {
			r.fail("a slice of length %d is turned into an array of length %d", s.Len, n)
		}
		return s.P
	}
	return r.unmodelled("cannot be modelled: " + in.String())
}

// unmodelled refuses, except while the lock is built, where the value may well
// never be used.
func (r *run) unmodelled(what string) Value {
	if r.pid >= 0 {
		r.refuse("%s", what)
	}
	file, line := r.m.Prog.Place(r.where())
	return r.m.mem.unknown("the outcome of code that " + what + " at " + file + ":" + itoa(line))
}

func (r *run) component(t types.Type, a Agg, off int32) Value {
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
	return r.unmodelled("indexes a " + t.String())
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

func (r *run) slice(fr *frame, in *ssa.Slice) Value {
	bound := func(v ssa.Value, otherwise int) int {
		if v == nil {
			return otherwise
		}
		n, ok := r.get(fr, v).(Num)
		if !ok {
			r.kept(r.get(fr, v))
			r.refuse("slices at an unknown index")
		}
		return int(int64(n))
	}
	switch x := r.get(fr, in.X).(type) {
	case string:
		low, high := bound(in.Low, 0), bound(in.High, len(x))
		if low < 0 || high < low || high > len(x) {
			r.fail("slice bounds out of range")
		}
		return x[low:high]
	case Slice:
		elem := in.X.Type().Underlying().(*types.Slice).Elem()
		s := r.reslice(x, elem, bound(in.Low, 0), bound(in.High, int(x.Len)), bound(in.Max, int(x.Cap)))
		s.Grown = x.Grown && in.Max == nil
		return s
	case Ptr:
		if x.Obj == 0 {
			r.fail("nil pointer dereference")
		}
		a := in.X.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Array)
		n := int(a.Len())
		return r.reslice(Slice{P: x, Len: int32(n), Cap: int32(n)}, a.Elem(), bound(in.Low, 0), bound(in.High, n), bound(in.Max, n))
	default:
		return r.opaque(x)
	}
}

func (r *run) reslice(s Slice, elem types.Type, low, high, max int) Slice {
	if s.Grown && low >= 0 && low <= high && (high > int(s.Cap) || max > int(s.Cap)) {
		r.refuse("slices beyond what append has filled: whether there is room is up to the runtime")
	}
	if low < 0 || high < low || max < high || max > int(s.Cap) {
		r.fail("slice bounds out of range")
	}
	if s.P.Obj != 0 {
		s.P.Off += int32(low) * r.m.lay.cells(elem)
	}
	return Slice{P: s.P, Len: int32(high - low), Cap: int32(max - low)}
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
		return r.unmodelled("receives from a channel")
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
	return r.unmodelled("cannot be modelled: " + in.String())
}
