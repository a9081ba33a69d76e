package interp

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// registers is the package whose types embed those of sync/atomic and have a
// store with release order besides.
const registers = "shmbench/shm/register"

// atomic begins an access through sync/atomic, or a store with release order;
// while the lock is built it does it.
func (r *run) atomic(fn *ssa.Function, args []Value) Value {
	a := &Access{}
	of := r.register(a, fn)
	p, ok := args[0].(Ptr)
	if !ok {
		if o := r.opaque(args[0]).(Opaque); !o.Foreign {
			r.refuse("makes an access to an address that is not known: %s", o.By)
		}
		return r.opaqueResult(fn, true)
	}
	if p.Obj == 0 {
		r.fail("nil pointer dereference")
	}
	if fn.Signature.Recv() == nil && r.m.narrow() && r.m.Prog.Sizes.Sizeof(of) == 8 && r.unaligned(p) {
		r.fail("unaligned 64-bit atomic operation")
	}
	a.At, a.bits, a.oldValue = p, r.m.wordBits(of), fn.Signature.Results().Len() > 0
	r.operation(a, fn, args)
	if old, ok := a.Old.(Ptr); ok && old.Obj != 0 {
		a.empty = r.m.Prog.Sizes.Sizeof(r.memory(old).typ) == 0
	}
	for _, v := range []Value{a.Arg, a.Old} {
		if o, ok := v.(Opaque); ok && r.pid >= 0 {
			r.opaque(o)
		}
	}
	return r.perform(a, of)
}

// register returns the type of the word that an operation accesses: that of its first
// parameter, or the one which the receiver's type holds.
func (r *run) register(a *Access, fn *ssa.Function) (of types.Type) {
	recv := fn.Signature.Recv()
	if recv == nil {
		p, ok := fn.Signature.Params().At(0).Type().Underlying().(*types.Pointer)
		if !ok {
			r.refuse("calls %s, which cannot be modeled", funcName(fn))
		}
		return p.Elem()
	}
	named, _ := types.Unalias(recv.Type().Underlying().(*types.Pointer).Elem()).(*types.Named)
	if named == nil || named.Obj().Name() == "Value" {
		r.refuse("uses atomic.Value, which cannot be modeled; use atomic.Pointer")
	}
	s, isStruct := named.Underlying().(*types.Struct)
	if isStruct && named.Obj().Pkg().Path() == registers {
		named = s.Field(0).Type().(*types.Named) // of sync/atomic
		s, isStruct = named.Underlying().(*types.Struct)
	}
	a.Bool = named.Obj().Name() == "Bool"
	switch {
	case named.Obj().Name() == "Pointer":
		return r.m.lay.cellType(named, 0)
	case isStruct:
		return s.Field(s.NumFields() - 1).Type()
	}
	return nil
}

// operations are those of sync/atomic, by the beginnings of their names.
var operations = []struct {
	name string
	op   Op
}{
	{"Load", Load}, {"Store", Store}, {"Swap", Swap}, {"CompareAndSwap", CompareAndSwap}, {"Add", Add}, {"And", And}, {"Or", Or},
}

// operation says what an access does.
func (r *run) operation(a *Access, fn *ssa.Function, args []Value) {
	switch fn.Name() {
	case "StoreRelease":
		a.Op, a.Arg = StoreRelease, args[1]
		return
	case "StoreReleaseIf":
		if a.Op, a.Arg = Store, args[2]; args[1] == Num(1) {
			a.Op = StoreRelease
		} else if args[1] != Num(0) {
			r.opaque(args[1])
		}
		return
	case "StoreFencedIf": // the same to others, whether or not the store is an XCHG
		a.Op, a.Arg = Store, args[2]
		return
	}
	for _, o := range operations {
		if !strings.HasPrefix(fn.Name(), o.name) {
			continue
		}
		switch a.Op = o.op; a.Op {
		case Load:
		case CompareAndSwap:
			a.Old, a.Arg = args[1], args[2]
		default:
			a.Arg = args[1]
		}
		return
	}
	r.refuse("calls %s, which cannot be modeled", funcName(fn))
}

// perform does an access to a word of type of in memory that no other process can reach, and leaves
// any other to be done as a step.
func (r *run) perform(a *Access, of types.Type) Value {
	if cells := r.memory(a.At).cells; int(a.At.Off) >= len(cells) {
		r.fail("address out of range")
	}
	if a.At.Obj > 0 && r.pid >= 0 {
		r.touch(a.At, a.Writes(), true)
		if a.Op == CompareAndSwap {
			r.needs(a.Old)
			r.needs(r.m.Initial(a.At))
		}
		if a.Writes() {
			r.refuseMoved(a.At)
			r.publish(a.At, of, a.Arg)
		}
		a.forgotten = r.m.uses.forgotten[a.At]
		r.counts(a)
		r.access = a
		return nil
	}
	r.needs(a.Old)
	if _, f := forgotten(a.Arg, r.memory(a.At).cells[a.At.Off]); f && a.Op != Load {
		r.needs(a.Arg) // the process's own memory holds what it is given
		r.needs(r.memory(a.At).cells[a.At.Off])
	}
	now, result := a.Apply(r.memory(a.At).cells[a.At.Off])
	if u, ok := result.(Undecided); ok {
		r.refuse("%s", u.Why)
	}
	if a.Writes() {
		r.set(a.At, now)
	}
	return result
}
