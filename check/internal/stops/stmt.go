package stops

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// assign rewrites an assignment.
func (w *writer) assign(s *ast.AssignStmt) {
	switch {
	case s.Tok == token.DEFINE || !slices.ContainsFunc(s.Lhs, w.shared):
		for _, l := range s.Lhs {
			w.addr(l)
		}
		for _, r := range s.Rhs {
			w.value(r)
		}
	case s.Tok != token.ASSIGN:
		w.modify(s)
	case len(s.Lhs) == 1:
		w.variable(s.Lhs[0])
		w.replace(s.Lhs[0].End(), s.Rhs[0].Pos(), ").Set(")
		w.value(s.Rhs[0])
		w.insert(s.Rhs[0].End(), ")")
	default:
		w.parallel(s)
	}
}

// variable rewrites "x" to the beginning of "harness.At(&x)".
func (w *writer) variable(x ast.Expr) { w.pointer(x, harness+".At(") }

// pointer rewrites a variable to its address, after some text.
func (w *writer) pointer(x ast.Expr, after string) {
	if isStar(x) {
		w.replace(x.Pos(), x.Pos()+1, after)
	} else {
		w.insert(x.Pos(), after+"&")
	}
	w.addr(x)
}

// modify rewrites "x op= y": y is evaluated before x is read.
func (w *writer) modify(s *ast.AssignStmt) {
	p, y := w.name(), w.name()
	op := strings.TrimSuffix(s.Tok.String(), "=")
	w.pointer(s.Lhs[0], fmt.Sprintf("func() { %s := ", p))
	if s.Tok == token.SHL_ASSIGN || s.Tok == token.SHR_ASSIGN {
		w.replace(s.Lhs[0].End(), s.Rhs[0].Pos(), fmt.Sprintf("; %s := (", y))
	} else {
		w.replace(s.Lhs[0].End(), s.Rhs[0].Pos(), fmt.Sprintf("; %s := %s.At(%s).As(", y, harness, p))
	}
	w.value(s.Rhs[0])
	w.insert(s.Rhs[0].End(), fmt.Sprintf("); %s.At(%s).Set(*%s.Read(%s) %s %s) }()", harness, p, harness, p, op, y))
}

func (w *writer) incDec(s *ast.IncDecStmt) {
	if !w.shared(s.X) {
		w.addr(s.X)
		return
	}
	p := w.name()
	w.pointer(s.X, fmt.Sprintf("func() { %s := ", p))
	w.replace(s.TokPos, s.TokPos+2, fmt.Sprintf("; %s.At(%s).Set(*%s.Read(%s) %s 1) }()", harness, p, harness, p, s.Tok.String()[:1]))
}

// parallel rewrites "x, y = a, b" and "x, y = f()".
func (w *writer) parallel(s *ast.AssignStmt) {
	at := make([]string, len(s.Lhs))
	values := make([]string, len(s.Lhs))
	for i, l := range s.Lhs {
		open := "; "
		if i == 0 {
			open = "func() { "
		} else {
			w.replace(s.Lhs[i-1].End(), l.Pos(), "")
		}
		if id, ok := l.(*ast.Ident); ok && id.Name == "_" {
			values[i] = "_"
			w.replace(l.Pos(), l.End(), open)
			continue
		}
		if index, ok := ast.Unparen(l).(*ast.IndexExpr); ok {
			if _, isMap := w.typ(index.X).(*types.Map); isMap {
				w.unsupported(l, "assigns to an element of a map and to shared memory in one statement")
			}
		}
		at[i], values[i] = w.name(), w.name()
		w.pointer(l, open+at[i]+" := ")
	}
	last := s.Lhs[len(s.Lhs)-1]
	if len(s.Rhs) < len(s.Lhs) {
		w.replace(last.End(), s.Rhs[0].Pos(), "; "+strings.Join(values, ", ")+" := ")
		w.value(s.Rhs[0])
	} else {
		for i, r := range s.Rhs {
			from := last.End()
			open := fmt.Sprintf("; %s := %s.At(%s).As(", values[i], harness, at[i])
			if values[i] == "_" {
				open = "; _ = ("
			}
			if i > 0 {
				from, open = s.Rhs[i-1].End(), ")"+open
			}
			w.replace(from, r.Pos(), open)
			w.value(r)
		}
		w.insert(s.Rhs[len(s.Rhs)-1].End(), ")")
	}
	var sets strings.Builder
	for i, v := range values {
		if v != "_" {
			fmt.Fprintf(&sets, "; %s.At(%s).Set(%s)", harness, at[i], v)
		}
	}
	w.insert(s.Rhs[len(s.Rhs)-1].End(), sets.String()+" }()")
}

// loop rewrites a range statement: the elements that it reads are read at the
// beginning of each turn.
func (w *writer) loop(s *ast.RangeStmt) {
	elements := s.Value != nil && !isBlank(s.Value)
	switch w.typ(s.X).(type) {
	case *types.Slice:
		if elements {
			w.elements(s, "(", ")")
			break
		}
		w.value(s.X)
	case *types.Pointer: // to an array, which is not evaluated for its length unless it calls
		switch {
		case elements:
			w.elements(s, "((", ")[:])")
		case w.makesCall(s.X):
			w.value(s.X)
		}
	case *types.Array:
		switch {
		case elements:
			w.value(s.X)
		case w.makesCall(s.X):
			w.addr(s.X)
		}
	default:
		w.value(s.X)
	}
	if s.Tok == token.ASSIGN && (s.Key != nil && w.shared(s.Key) || s.Value != nil && w.shared(s.Value)) {
		w.unsupported(s, "a range statement assigns to what may be shared memory")
	}
	ast.Walk(w, s.Body)
}

// makesCall reports whether there is a call in an expression, or a receive.
func (w *writer) makesCall(e ast.Expr) (makes bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			makes = makes || !w.Info.Types[n.Fun].IsType() && w.Info.Types[n].Value == nil
		case *ast.UnaryExpr:
			makes = makes || n.Op == token.ARROW
		case *ast.FuncLit:
			return false
		}
		return true
	})
	return makes
}

func isBlank(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == "_"
}

func (w *writer) elements(s *ast.RangeStmt, open, end string) {
	value, ok := s.Value.(*ast.Ident)
	switch {
	case !ok:
		w.unsupported(s, "a range statement assigns to what is not a variable's name")
		return
	case w.PerLoop && s.Tok == token.DEFINE && w.isCaptured(value):
		w.unsupported(s, "a function literal captures a loop variable of Go before 1.22")
		return
	}
	p := value.Name
	if s.Tok == token.ASSIGN {
		p = w.name()
		key := "_"
		if s.Key != nil && !isBlank(s.Key) {
			key = w.name()
			id, ok := s.Key.(*ast.Ident)
			if !ok {
				w.unsupported(s, "a range statement assigns to what is not a variable's name")
				return
			}
			w.insert(s.Body.Lbrace+1, fmt.Sprintf(" %s = %s;", id.Name, key))
		}
		w.replace(s.Key.Pos(), s.TokPos+1, key+", "+p+" :=")
		w.insert(s.Body.Lbrace+1, fmt.Sprintf(" %s = *%s.Read(%s);", value.Name, harness, p))
	} else {
		w.insert(s.Body.Lbrace+1, fmt.Sprintf(" %s := *%s.Read(%s);", value.Name, harness, p))
	}
	w.insert(s.X.Pos(), harness+".Elements"+open)
	w.value(s.X)
	w.insert(s.X.End(), end)
}

// isCaptured reports whether a function literal uses a variable of a function
// around it.
func (w *writer) isCaptured(v *ast.Ident) bool {
	for use := range w.captured {
		if w.Info.Uses[use] == w.Info.Defs[v] {
			return true
		}
	}
	return false
}
