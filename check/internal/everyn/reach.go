package everyn

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// trusted are packages whose functions treat all ids alike.
var trusted = []string{"shmbench/shm", "shmbench/shm/spin", "shmbench/shm/register", "sync/atomic", "runtime"}

func isTrusted(p *types.Package) bool { return p != nil && slices.Contains(trusted, p.Path()) }

// packageOf returns the package of a function, also of an instance of a generic one.
func packageOf(fn *ssa.Function) *types.Package {
	switch origin := fn.Origin(); {
	case fn.Object() != nil:
		return fn.Object().Pkg()
	case fn.Pkg != nil:
		return fn.Pkg.Pkg
	case origin != nil && origin.Pkg != nil:
		return origin.Pkg.Pkg
	case fn.Parent() != nil:
		return packageOf(fn.Parent())
	}
	return nil
}

// reach adds the executed functions that are reached from a function.
func (f *flows) reach(fn *ssa.Function) {
	if f.reached[fn] || !f.executed[fn] {
		return
	}
	f.reached[fn] = true
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			for _, op := range in.Operands(nil) {
				if to, ok := (*op).(*ssa.Function); ok {
					f.reach(to)
				}
			}
			if call, ok := in.(ssa.CallInstruction); ok {
				for _, to := range f.callees(call.Common()) {
					f.reach(to)
				}
			}
		}
	}
}

// callees returns the executed functions that a call may call.
func (f *flows) callees(c *ssa.CallCommon) (all []*ssa.Function) {
	if fn := c.StaticCallee(); fn != nil {
		return []*ssa.Function{fn}
	}
	if _, ok := c.Value.(*ssa.Builtin); ok {
		return nil
	}
	for fn := range f.executed {
		switch recv := fn.Signature.Recv(); {
		case c.IsInvoke() && recv != nil && fn.Name() == c.Method.Name(),
			!c.IsInvoke() && recv == nil && types.Identical(fn.Signature, c.Signature()):
			all = append(all, fn)
		}
	}
	return all
}
