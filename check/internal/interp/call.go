package interp

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// call begins a call, or does it if it needs no interpreting.
func (r *run) call(fr *frame, in *ssa.Call) {
	c := in.Common()
	var args []Value
	if c.IsInvoke() {
		recv, ok := r.get(fr, c.Value).(Iface)
		if !ok {
			r.done(fr, r.opaque(r.get(fr, c.Value)))
			return
		}
		if recv.T == nil {
			r.fail("calls %s on a nil interface", c.Method.Name())
		}
		args = append(args, recv.V)
		for _, a := range c.Args {
			args = append(args, r.get(fr, a))
		}
		r.enter(fr, r.method(recv, c), args, nil)
		return
	}
	for _, a := range c.Args {
		args = append(args, r.get(fr, a))
	}
	if b, ok := c.Value.(*ssa.Builtin); ok {
		if v := r.builtin(b, c, args, in.Type()); r.access == nil {
			r.done(fr, v)
		}
		return
	}
	switch f := r.get(fr, c.Value).(type) {
	case *Closure:
		if f == nil {
			r.fail("calls a nil function")
		}
		r.enter(fr, f.Fn, args, f.Free)
	default:
		r.done(fr, r.opaque(f))
	}
}

// method returns the method that a call through an interface means.
func (r *run) method(recv Iface, c *ssa.CallCommon) *ssa.Function {
	fn := r.m.Prog.Main.Prog.LookupMethod(recv.T, c.Method.Pkg(), c.Method.Name())
	if fn == nil {
		r.refuse("cannot be modelled: no method %s on %s", c.Method.Name(), recv.T)
	}
	return fn
}

// nothing are the functions that pass the time: they change no state.
var nothing = map[string]bool{
	"runtime.Gosched":     true,
	"runtime.KeepAlive":   true,
	"time.Sleep":          true,
	"shmbench/spin.Pause": true,
}

// enter calls fn: an access, a pause, or code to be interpreted.
func (r *run) enter(fr *frame, fn *ssa.Function, args, free []Value) {
	path, name := "", fn.Name()
	if o := fn.Object(); o != nil && o.Pkg() != nil {
		path = o.Pkg().Path()
	} else if fn.Pkg != nil {
		path = fn.Pkg.Pkg.Path()
	}
	switch {
	case nothing[path+"."+name] && fn.Signature.Recv() == nil:
		r.done(fr, nil)
	case r.pid >= 0 && drawn(fn):
		r.done(fr, r.draw(fn, args))
	case path == "shmbench/spin" && name == "wait":
		// The rest of spin.Until, which polls for as long as it must: begin
		// Until anew, so that it is "for !cond() {}".
		fr.env[fr.f.slot[fr.f.fn.Params[0]]] = args[0]
		fr.block, fr.pc = 0, 0
		r.turn()
	case name == "init" && fn.Signature.Recv() == nil && r.pid < 0 && fn.Synthetic == "package initializer":
		if fn.Blocks == nil || r.m.inited[fn.Pkg] {
			r.done(fr, nil)
			return
		}
		r.m.inited[fn.Pkg] = true
		r.push(fn, nil, nil)
	case (path == "sync/atomic" || path == registers) && fn.Blocks == nil:
		v := r.atomic(fn, args)
		if r.access == nil {
			r.done(fr, v)
		}
	case fn.Blocks == nil:
		if r.pid >= 0 {
			r.refuse("calls %s, which cannot be modelled", funcName(fn))
		}
		r.done(fr, r.opaqueResult(fn, r.lose(fn, args)))
	default:
		r.push(fn, args, free)
	}
}

// funcName returns a function's name as Go code writes it: "time.Sleep",
// "(*sync.Mutex).Lock".
func funcName(fn *ssa.Function) string {
	if o, ok := fn.Object().(*types.Func); ok {
		return strings.TrimPrefix(o.FullName(), "command-line-arguments.")
	}
	return fn.String()
}

// opaqueResult returns what a function gives that is not interpreted; foreign
// says that it cannot lead to memory that is modelled.
func (r *run) opaqueResult(fn *ssa.Function, foreign bool) Value {
	made := func() Value {
		o := r.m.unknown("the result of " + funcName(fn))
		o.Foreign = foreign
		return o
	}
	res := fn.Signature.Results()
	if res.Len() < 2 {
		return made()
	}
	all := make(Agg, r.m.lay.cells(res))
	for i := range all {
		all[i] = made()
	}
	return all
}

// readers are packages whose functions change nothing that they are given, but for
// those with names that begin as fillers say.
var readers = map[string]bool{
	"errors": true, "math": true, "math/big": true, "path": true, "runtime": true, "strconv": true, "strings": true,
	"time": true, "unicode/utf8": true, "log": true, "testing": true, "unsafe": true,
}

var fillers = []string{"Append", "As", "Callers", "Encode", "Fill", "Gob", "Read", "Scan", "Stack", "Unmarshal"}

// lose makes unknown all memory that a call of a function which is not
// interpreted, of the package at path, may have changed while the lock is
// built. It reports whether there is none.
func (r *run) lose(fn *ssa.Function, args []Value) bool {
	reach := r.m.reachFrom(args)
	pkg, _, _ := strings.Cut(strings.TrimLeft(funcName(fn), "(*"), ".")
	fills := slices.ContainsFunc(fillers, func(begin string) bool { return strings.HasPrefix(fn.Name(), begin) })
	if readers[pkg] && !fills || pkg == "fmt" && !strings.Contains(strings.ToLower(fn.Name()), "scan") {
		return len(reach) == 0
	}
	for _, a := range args {
		if c, ok := a.(*Closure); ok && c != nil && changes(c.Fn) {
			reach = r.m.reach(&State{}, args...)
		}
	}
	for i := range reach {
		if i < 0 {
			r.m.maps[-i-1].lost = true
			continue
		}
		for k, v := range r.m.objs[i].cells {
			if _, known := v.(Opaque); !known {
				r.m.objs[i].cells[k] = r.m.unknown("memory that " + funcName(fn) + " was given")
			}
		}
		r.writes++
	}
	return len(reach) == 0
}

// changes reports whether a function does more than compute.
func changes(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.Store, *ssa.MapUpdate, *ssa.Go, *ssa.Defer, *ssa.Send:
				return true
			case *ssa.Call:
				if _, builtin := in.Call.Value.(*ssa.Builtin); !builtin {
					return true
				}
			}
		}
	}
	return len(fn.Blocks) == 0
}

// registers is the package whose types embed those of sync/atomic and have a
// store with release order besides.
const registers = "shmbench/register"

// atomic begins an access through sync/atomic, or a store with release order;
// while the lock is built it does it.
func (r *run) atomic(fn *ssa.Function, args []Value) Value {
	a := &Access{}
	name := fn.Name()
	sig := fn.Signature
	word := sig.Results().Len() > 0
	var of types.Type
	if recv := sig.Recv(); recv != nil {
		named, _ := types.Unalias(recv.Type().Underlying().(*types.Pointer).Elem()).(*types.Named)
		if named == nil || named.Obj().Name() == "Value" {
			r.refuse("uses atomic.Value, which cannot be modelled; use atomic.Pointer")
		}
		if s, ok := named.Underlying().(*types.Struct); ok && named.Obj().Pkg().Path() == registers {
			named = s.Field(0).Type().(*types.Named) // of sync/atomic
		}
		a.Bool = named.Obj().Name() == "Bool"
		if s, ok := named.Underlying().(*types.Struct); ok {
			of = s.Field(s.NumFields() - 1).Type()
		}
		if named.Obj().Name() == "Pointer" {
			of = r.m.lay.cellType(named, 0)
		}
	} else {
		p, ok := sig.Params().At(0).Type().Underlying().(*types.Pointer)
		if !ok {
			r.refuse("calls %s, which cannot be modelled", funcName(fn))
		}
		of = p.Elem()
	}
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
	a.At, a.bits = p, r.m.wordBits(of)
	switch {
	case strings.HasPrefix(name, "Load"):
		a.Op = Load
	case name == "StoreRelease":
		a.Op, a.Arg = StoreRelease, args[1]
	case name == "StoreReleaseIf":
		if a.Op, a.Arg = Store, args[2]; args[1] == Num(1) {
			a.Op = StoreRelease
		} else if args[1] != Num(0) {
			r.opaque(args[1])
		}
	case strings.HasPrefix(name, "Store"):
		a.Op, a.Arg = Store, args[1]
	case strings.HasPrefix(name, "Swap"):
		a.Op, a.Arg = Swap, args[1]
	case strings.HasPrefix(name, "CompareAndSwap"):
		a.Op, a.Old, a.Arg = CompareAndSwap, args[1], args[2]
	case strings.HasPrefix(name, "Add"):
		a.Op, a.Arg = Add, args[1]
	case strings.HasPrefix(name, "And"), strings.HasPrefix(name, "Or"):
		if a.Op, a.Arg, a.oldValue = And, args[1], word; name[0] == 'O' {
			a.Op = Or
		}
	default:
		r.refuse("calls %s, which cannot be modelled", funcName(fn))
	}
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

// perform does an access to a word of type of in memory that no other process can reach, and leaves
// any other to be done as a step.
func (r *run) perform(a *Access, of types.Type) Value {
	if cells := r.memory(a.At).cells; int(a.At.Off) >= len(cells) {
		r.fail("address out of range")
	}
	if a.At.Obj > 0 && r.pid >= 0 {
		r.m.touch(a.At, r.pid, a.Writes(), true)
		if a.Op == CompareAndSwap {
			r.kept(a.Old)
			r.kept(r.m.Initial(a.At))
		}
		if a.Writes() {
			r.unmoved(a.At)
			r.publish(a.At, of, a.Arg)
		}
		a.forgotten = r.m.forgotten[a.At]
		r.access = a
		return nil
	}
	r.kept(a.Old)
	if _, f := forgotten(a.Arg, r.memory(a.At).cells[a.At.Off]); f && a.Op != Load {
		r.kept(a.Arg) // the process's own memory holds what it is given
		r.kept(r.memory(a.At).cells[a.At.Off])
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

func (r *run) builtin(b *ssa.Builtin, c *ssa.CallCommon, args []Value, result types.Type) Value {
	for _, a := range args {
		if o, ok := a.(Opaque); ok && b.Name() != "print" && b.Name() != "println" {
			r.blur(b, args[0])
			return r.opaque(o)
		}
	}
	switch b.Name() {
	case "len", "cap":
		switch x := args[0].(type) {
		case string:
			return Num(len(x))
		case Slice:
			switch {
			case b.Name() == "len":
				return Num(x.Len)
			case x.Grown:
				return r.unmodelled("asks for a capacity that the runtime has chosen")
			}
			return Num(x.Cap)
		case Map:
			if x.ID == 0 {
				return Num(0)
			}
			if d := r.m.maps[x.ID-1]; !d.lost {
				return Num(len(d.keys))
			}
			return r.unmodelled("asks for the length of a map of which not everything is known")
		}
		t := c.Args[0].Type().Underlying()
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem().Underlying()
		}
		if a, ok := t.(*types.Array); ok {
			return Num(a.Len())
		}
	case "min", "max":
		best := args[0]
		for _, a := range args[1:] {
			if f, ok := forgotten(a, best); ok {
				return f
			}
			less := r.binop(token.LSS, result, a, best)
			if (less == Num(1)) == (b.Name() == "min") && a != best {
				best = a
			}
		}
		return best
	case "Sizeof":
		return Num(r.m.Prog.Sizes.Sizeof(c.Args[0].Type()))
	case "Alignof":
		return Num(r.m.Prog.Sizes.Alignof(c.Args[0].Type()))
	case "append":
		return r.append(c.Args[0].Type(), args)
	case "copy":
		return r.copy(c.Args[0].Type(), args)
	case "clear":
		return r.clear(c.Args[0].Type(), args[0])
	case "delete":
		if d := r.updated(args[0]); d != nil && known(args[1]) {
			d.remove(args[1])
		} else if d != nil {
			d.lost = true
		}
		return nil
	case "Add":
		return r.addAddress(args[0], args[1])
	case "ssa:deferstack":
		r.refuse("defers a call from the body of a loop over a function")
	case "ssa:wrapnilchk":
		if p, ok := args[0].(Ptr); ok && p.Obj == 0 {
			r.fail("nil pointer dereference")
		}
		return args[0]
	}
	return r.unmodelled(fmt.Sprintf("calls %s, which cannot be modelled", b.Name()))
}

func (r *run) copy(t types.Type, args []Value) Value {
	to, ok := args[0].(Slice)
	from, ok2 := r.text(args[1]).(Slice)
	if !ok || !ok2 {
		return r.unmodelled("copies from something else than a slice")
	}
	elem := t.Underlying().(*types.Slice).Elem()
	n := min(to.Len, from.Len)
	from.Len = n
	if cells := r.elements(elem, from); len(cells) > 0 {
		if r.store(to.P, Agg(cells)); r.access != nil {
			r.access = nil
			r.refuse("copies into memory that another process uses")
		}
	}
	return Num(n)
}

// elements returns the cells of a slice.
func (r *run) elements(elem types.Type, s Slice) []Value {
	if s.Len == 0 {
		return nil
	}
	v := r.load(s.P, types.NewArray(elem, int64(s.Len)))
	if r.access != nil {
		r.access = nil
		r.refuse("copies memory that another process writes")
	}
	return flat(v)
}
