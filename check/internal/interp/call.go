package interp

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// call begins a call, or does it if it needs no interpreting.
func (r *run) call(fr *frame, in *ssa.Call) {
	c := in.Common()
	var args []Value
	for _, a := range c.Args {
		args = append(args, r.get(fr, a))
	}
	if b, ok := c.Value.(*ssa.Builtin); ok {
		var v Value
		r.copying(true, func() { v = r.builtin(b, c, args, in.Type()) })
		if r.access == nil {
			r.done(fr, v)
		}
		return
	}
	r.callValue(fr, c, r.get(fr, c.Value), args)
}

// callValue calls a function, or a method of an interface value.
func (r *run) callValue(fr *frame, c *ssa.CallCommon, called Value, args []Value) {
	if c.IsInvoke() {
		recv, ok := called.(Iface)
		switch {
		case !ok:
			r.done(fr, r.opaque(called))
		case recv.T == nil:
			r.fail("calls %s on a nil interface", c.Method.Name())
		default:
			r.enter(fr, r.method(recv, c), append([]Value{recv.V}, args...), nil)
		}
		return
	}
	f, ok := called.(*Closure)
	switch {
	case !ok:
		result := r.opaque(called)
		if r.pid < 0 {
			r.makeUnknown(r.m.mem.reach(&State{}, args...), "a function that is not known") // it may call back
		}
		r.done(fr, result)
	case f == nil && fr.at.IsValid():
		r.fail("calls a nil function that was deferred")
	case f == nil:
		r.fail("calls a nil function")
	case f.Fn == giveUp.Fn:
		r.poll()
	default:
		r.enter(fr, f.Fn, args, f.Free)
	}
}

// method returns the method that a call through an interface means.
func (r *run) method(recv Iface, c *ssa.CallCommon) *ssa.Function {
	fn := r.m.Prog.Main.Prog.LookupMethod(recv.T, c.Method.Pkg(), c.Method.Name())
	if fn == nil {
		r.refuse("cannot be modeled: no method %s on %s", c.Method.Name(), recv.T)
	}
	return fn
}

// nothing are the functions that pass the time: they change no state.
var nothing = map[string]bool{
	"runtime.Gosched":         true,
	"runtime.KeepAlive":       true,
	"time.Sleep":              true,
	"shmbench/shm/spin.Pause": true,
}

// enter calls fn: an access, a pause, or code to be interpreted.
func (r *run) enter(fr *frame, fn *ssa.Function, args, free []Value) {
	path, name := "", fn.Name()
	if o := fn.Object(); o != nil && o.Pkg() != nil {
		path = o.Pkg().Path()
	}
	switch {
	case nothing[path+"."+name] && fn.Signature.Recv() == nil:
		r.done(fr, nil)
	case r.pid >= 0 && drawn(fn):
		r.done(fr, r.draw(fn, args))
	case path == "shmbench/shm/spin" && name == "wait":
		// The rest of spin.Until, which polls for as long as it must: begin
		// Until anew, so that it is "for !cond() {}".
		fr.env[fr.f.slot[fr.f.fn.Params[0]]] = args[0]
		fr.block, fr.pc = 0, 0
		r.turn()
	case path == "shmbench/shm/futex" && name == "modeled":
		r.done(fr, Num(1))
	case name == "init" && fn.Signature.Recv() == nil && r.pid < 0 && fn.Synthetic == "package initializer":
		if fn.Blocks == nil || r.m.mem.inited[fn.Pkg] {
			r.done(fr, nil)
			return
		}
		r.m.mem.inited[fn.Pkg] = true
		r.push(fn, nil, nil)
	case (path == "sync/atomic" || path == registers) && fn.Blocks == nil:
		v := r.atomic(fn, args)
		if r.access == nil {
			r.done(fr, v)
		}
	case fn.Blocks == nil:
		if r.pid >= 0 {
			r.refuse("calls %s, which cannot be modeled", funcName(fn))
		}
		r.done(fr, r.opaqueResult(fn, r.clobber(fn, args)))
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
// says that it cannot lead to memory that is modeled.
func (r *run) opaqueResult(fn *ssa.Function, foreign bool) Value {
	made := func() Value {
		o := r.m.mem.unknown("the result of " + funcName(fn))
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

// readers are packages whose functions change nothing that they are given. The functions
// whose names begin with one of fillers are exceptions.
var readers = map[string]bool{
	"errors": true, "math": true, "math/big": true, "path": true, "runtime": true, "strconv": true, "strings": true,
	"time": true, "unicode/utf8": true, "log": true, "testing": true, "unsafe": true,
}

var fillers = []string{"Append", "As", "Callers", "Encode", "Fill", "Gob", "Read", "Scan", "Stack", "Unmarshal"}

// clobber makes unknown all memory that a call of a function may have changed while the
// lock is built. The function is not interpreted. clobber reports whether the arguments
// lead to no memory.
func (r *run) clobber(fn *ssa.Function, args []Value) bool {
	reach := r.m.mem.reachFrom(args)
	pkg, _, _ := strings.Cut(strings.TrimLeft(funcName(fn), "(*"), ".")
	fills := slices.ContainsFunc(fillers, func(begin string) bool { return strings.HasPrefix(fn.Name(), begin) })
	if readers[pkg] && !fills || pkg == "fmt" && !strings.Contains(strings.ToLower(fn.Name()), "scan") {
		return len(reach) == 0
	}
	for _, a := range args {
		if c, ok := a.(*Closure); ok && c != nil && changes(c.Fn) {
			reach = r.m.mem.reach(&State{}, args...)
		}
	}
	r.makeUnknown(reach, funcName(fn))
	return len(reach) == 0
}

// makeUnknown makes the content of objects and maps unknown. by names the function that
// may have changed it.
func (r *run) makeUnknown(reach map[int32]bool, by string) {
	for i := range reach {
		if i < 0 {
			r.m.mem.maps[-i-1].lost = true
			continue
		}
		for k, v := range r.m.mem.objs[i].cells {
			if _, known := v.(Opaque); !known {
				r.m.mem.objs[i].cells[k] = r.m.mem.unknown("memory that " + by + " was given")
			}
		}
		r.writes++
	}
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
