package interp

import (
	"go/types"
	"math"

	"golang.org/x/tools/go/ssa"
)

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

// makeSlice makes a slice of so many elements.
func (r *run) makeSlice(elem types.Type, length, capacity Value) Value {
	n, ok := length.(Num)
	c, ok2 := capacity.(Num)
	if !ok || !ok2 {
		r.needs(length)
		r.needs(capacity)
		return r.unmodeled("makes a slice of unknown length")
	}
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
}

// toArray returns the address of the array that a slice begins with.
func (r *run) toArray(t *types.Array, v Value) Value {
	s, ok := v.(Slice)
	if !ok {
		return r.opaque(v)
	}
	if n := t.Len(); n > int64(s.Len) {
		r.fail("a slice of length %d is turned into an array of length %d", s.Len, n)
	}
	return s.P
}

func (r *run) slice(fr *frame, in *ssa.Slice) Value {
	bound := func(v ssa.Value, otherwise int) int {
		if v == nil {
			return otherwise
		}
		n, ok := r.get(fr, v).(Num)
		if !ok {
			r.needs(r.get(fr, v))
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
