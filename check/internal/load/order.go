package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Read is a variable that an expression reads: Text is how the source calls it.
type Read struct {
	Load *ssa.UnOp
	Text string
}

// Unordered finds, for each call in a function, the variables that the same expression or
// statement reads before the call in SSA form. The language lets the compiler read these
// variables after the call: it orders calls, but not calls and variables.
func Unordered(fn *ssa.Function) map[*ssa.Call][]Read {
	loads := map[ast.Expr]*ssa.UnOp{}
	calls := map[token.Pos]*ssa.Call{}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.DebugRef:
				if load, ok := in.X.(*ssa.UnOp); ok && load.Op == token.MUL && !in.IsAddr && reads(in, load.X) {
					loads[in.Expr] = load
				}
			case *ssa.Call:
				if _, builtin := in.Call.Value.(*ssa.Builtin); !builtin {
					calls[in.Pos()] = in
				}
			}
		}
	}
	if len(loads) == 0 || len(calls) == 0 || fn.Syntax() == nil {
		return nil
	}
	found := map[*ssa.Call][]Read{}
	called := func(n ast.Node) *ssa.Call {
		if c, ok := n.(*ast.CallExpr); ok {
			return calls[c.Lparen]
		}
		return nil
	}
	var above []ast.Node
	ast.Inspect(fn.Syntax(), func(n ast.Node) bool {
		if n == nil {
			above = above[:len(above)-1]
			return true
		}
		if _, inner := n.(*ast.FuncLit); inner && n != fn.Syntax() {
			return false // a function of its own
		}
		if call := called(n); call != nil {
			for _, s := range siblings(above, n) {
				ast.Inspect(s, func(n ast.Node) bool {
					if _, inner := n.(*ast.FuncLit); inner || called(n) != nil {
						return false // what a call is given is read before any later call
					}
					if e, ok := n.(ast.Expr); ok && loads[e] != nil && before(loads[e], call) {
						found[call] = append(found[call], Read{loads[e], types.ExprString(e)})
					}
					return true
				})
			}
		}
		above = append(above, n)
		return true
	})
	return found
}

// before reports whether an instruction has been executed whenever another is.
func before(a, b ssa.Instruction) bool {
	if a.Block() != b.Block() {
		return a.Block().Dominates(b.Block())
	}
	for _, in := range a.Block().Instrs {
		if in == a || in == b {
			return in == a
		}
	}
	return false
}

// reads reports whether what a note is about reads the variable at an address
// itself, not another one that was given its value.
func reads(d *ssa.DebugRef, addr ssa.Value) bool {
	if _, variable := d.Expr.(*ast.Ident); !variable || d.Object() == nil {
		return true
	}
	switch addr := addr.(type) {
	case *ssa.Global, *ssa.Alloc, *ssa.FreeVar:
		return addr.Pos() == d.Object().Pos()
	}
	return false
}

// siblings returns the expressions to the left of a call, at each level of what
// it is part of, up to the statement, except for those that && and || put first.
func siblings(above []ast.Node, call ast.Node) (left []ast.Expr) {
	child := call
	for _, parent := range slices.Backward(above) {
		switch p := parent.(type) {
		case *ast.BinaryExpr:
			if p.Op == token.LAND || p.Op == token.LOR {
				child = parent
				continue
			}
		case ast.Expr, *ast.AssignStmt, *ast.ReturnStmt, *ast.ValueSpec:
		default:
			return left
		}
		ast.Inspect(parent, func(n ast.Node) bool {
			if e, ok := n.(ast.Expr); ok && n != parent && n.End() <= child.Pos() {
				left = append(left, e)
			}
			return n == parent
		})
		child = parent
	}
	return left
}
