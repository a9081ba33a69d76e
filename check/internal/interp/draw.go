package interp

import "golang.org/x/tools/go/ssa"

// Some functions give a number that is known only to be in a range: the number of
// processors, or a random number. It may decide how long a process pauses, which makes
// no difference. Code in which anything else depends on the number is refused: it would
// have to be explored for every number.

// drawing are those functions, and whether their argument must be positive.
var drawing = map[string]bool{
	"runtime.NumCPU": false, "runtime.GOMAXPROCS": false,
	"math/rand.Int": false, "math/rand.Int31": false, "math/rand.Int63": false, "math/rand.Uint32": false, "math/rand.Uint64": false,
	"math/rand.Intn": true, "math/rand.Int31n": true, "math/rand.Int63n": true,
	"math/rand/v2.Int": false, "math/rand/v2.Int32": false, "math/rand/v2.Int64": false,
	"math/rand/v2.Uint": false, "math/rand/v2.Uint32": false, "math/rand/v2.Uint64": false,
	"math/rand/v2.IntN": true, "math/rand/v2.Int32N": true, "math/rand/v2.Int64N": true,
	"math/rand/v2.UintN": true, "math/rand/v2.Uint32N": true, "math/rand/v2.Uint64N": true, "math/rand/v2.N": true,
}

// origin returns the function that fn is an instance of, or fn.
func origin(fn *ssa.Function) *ssa.Function {
	if o := fn.Origin(); o != nil {
		return o
	}
	return fn
}

// drawnName returns a package's function as it is listed above.
func drawnName(fn *ssa.Function) string {
	o := origin(fn).Object()
	if o == nil || o.Pkg() == nil || fn.Signature.Recv() != nil {
		return ""
	}
	return o.Pkg().Path() + "." + o.Name()
}

// drawn reports whether fn is one of those functions.
func drawn(fn *ssa.Function) bool {
	_, ok := drawing[drawnName(fn)]
	return ok
}

// draws reports whether a call of one of those functions cannot fail and changes
// nothing, whatever its arguments are.
func draws(call *ssa.Call) bool {
	fn := call.Call.StaticCallee()
	positive, ok := drawing[drawnName(fn)]
	switch {
	case !ok:
		return false
	case drawnName(fn) == "runtime.GOMAXPROCS":
		c, constant := call.Call.Args[0].(*ssa.Const)
		return constant && c.Value != nil && c.Int64() == 0
	case positive:
		c, constant := call.Call.Args[0].(*ssa.Const)
		return constant && c.Value != nil && c.Int64() > 0
	}
	return true
}

// draw calls one of those functions.
func (r *run) draw(fn *ssa.Function, args []Value) Value {
	if len(args) == 1 {
		r.needs(args[0])
		n, ok := args[0].(Num)
		switch {
		case !ok:
			return r.opaque(args[0])
		case drawnName(fn) == "runtime.GOMAXPROCS":
			if n != 0 {
				r.refuse("calls runtime.GOMAXPROCS to set the number of processors")
			}
		case int64(n) <= 0 && (r.m.bits(fn.Signature.Params().At(0).Type()) < 0 || n == 0):
			r.fail("calls %s with %d", funcName(fn), int64(n))
		}
	}
	// One for all: nothing that is accepted depends on which it is.
	return Opaque{By: "the result of " + funcName(fn), ID: -2}
}
