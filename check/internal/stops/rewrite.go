// Package stops rewrites Go source so that plain accesses to memory that may be shared go
// through calls of package harness. Compiled code can be stopped there. Each read and each
// write becomes a call, in the order in which the checker takes them. The package knows no
// process and no lock: the harness decides which accesses are stops when they are made.
package stops

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// harness is the name under which rewritten files import package harness.
const harness = "shmbench_harness"

// What stands before and after a variable's address where it is read. That the
// call's result is an address is for Go 1.26, which cannot slice an array whose
// address is the result of a generic function.
const (
	read = "(*" + harness + ".Read("
	end  = "))"
)

// Package is a package as it has been read.
type Package struct {
	Fset  *token.FileSet
	Types *types.Package
	Info  *types.Info
	// PerLoop says that the variables of a loop are one for all its turns, as
	// they are before Go 1.22.
	PerLoop bool
}

// Unsupported says that a place cannot be rewritten.
type Unsupported struct {
	What string
	Pos  token.Position
}

func (u *Unsupported) Error() string {
	return fmt.Sprintf("%s:%d: %s", u.Pos.Filename, u.Pos.Line, u.What)
}

// Rewrite returns the source text of a file of the package. The plain accesses
// in that text are made through the package with the import path of package
// harness. Rewrite renames the main function of a program, to make room for another.
func Rewrite(p Package, file *ast.File, text []byte, path string) ([]byte, error) {
	w := &writer{Package: p, captured: captured(p.Info, file), addressed: addressed(p.Info, file)}
	for _, d := range file.Decls {
		ast.Walk(w, d)
	}
	if w.err != nil {
		return nil, w.err
	}
	globals := w.globals(file)
	if len(w.edits) == 0 && globals == "" {
		return text, nil
	}
	if globals != "" || slices.ContainsFunc(w.edits, func(e edit) bool { return strings.Contains(e.text, harness) }) {
		w.insert(file.Name.End(), fmt.Sprintf("; import %s %q", harness, path)) // the renaming of main does not use it
	}
	slices.SortStableFunc(w.edits, func(a, b edit) int { return cmp.Compare(a.from, b.from) })
	var out strings.Builder
	at := 0
	for _, e := range w.edits {
		out.Write(text[at:e.from])
		out.WriteString(e.text)
		at = e.to
	}
	out.Write(text[at:])
	out.WriteString(globals + w.kept)
	return []byte(out.String()), nil
}

// globals is the text that makes a file's package-level variables known.
func (w *writer) globals(file *ast.File) string {
	var names []string
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.VAR {
			continue
		}
		for _, s := range g.Specs {
			for _, n := range s.(*ast.ValueSpec).Names {
				if n.Name != "_" {
					names = append(names, "&"+n.Name)
				}
			}
		}
	}
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf("\nfunc init() { %s.Globals(%s) }\n", harness, strings.Join(names, ", "))
}

// edit replaces the text between two offsets. Edits at one offset apply in the
// order in which they were made.
type edit struct {
	from, to int
	text     string
}

type writer struct {
	Package
	captured map[*ast.Ident]bool
	called   *ast.SelectorExpr // the method or function of the call that is being rewritten
	// addressed are the local variables whose address is taken.
	addressed map[*types.Var]bool
	edits     []edit
	kept      string // the text that keeps an import in use
	hidden    int    // names made up
	err       error
}

func (w *writer) offset(p token.Pos) int { return w.Fset.PositionFor(p, false).Offset }

func (w *writer) insert(at token.Pos, text string) { w.replace(at, at, text) }

func (w *writer) replace(from, to token.Pos, text string) {
	w.edits = append(w.edits, edit{w.offset(from), w.offset(to), text})
}

func (w *writer) unsupported(at ast.Node, what string) {
	if w.err == nil {
		w.err = &Unsupported{what, w.Fset.Position(at.Pos())}
	}
}

// name makes up a name.
func (w *writer) name() string {
	w.hidden++
	return fmt.Sprintf("shmbench_%d", w.hidden)
}

// captured returns the uses of variables inside function literals that belong
// to a function around them.
func captured(info *types.Info, file *ast.File) map[*ast.Ident]bool {
	uses := map[*ast.Ident]bool{}
	var literals []*ast.FuncLit
	var visit func(n ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			literals = append(literals, n)
			ast.Inspect(n.Type, visit)
			ast.Inspect(n.Body, visit)
			literals = literals[:len(literals)-1]
			return false
		case *ast.Ident:
			v, ok := info.Uses[n].(*types.Var)
			if !ok || v.IsField() || len(literals) == 0 || v.Pkg() == nil || v.Parent() == v.Pkg().Scope() {
				return true
			}
			if in := literals[len(literals)-1]; v.Pos() < in.Pos() || v.Pos() >= in.End() {
				uses[n] = true
			}
		}
		return true
	}
	ast.Inspect(file, visit)
	return uses
}

// addressed returns the local variables whose address is taken, or that of a part
// of them: a function may leave it where others find it.
func addressed(info *types.Info, file *ast.File) map[*types.Var]bool {
	vars := map[*types.Var]bool{}
	take := func(e ast.Expr) {
		for {
			switch x := ast.Unparen(e).(type) {
			case *ast.Ident:
				if v, ok := info.Uses[x].(*types.Var); ok && !v.IsField() {
					vars[v] = true
				}
				return
			case *ast.SelectorExpr:
				if sel := info.Selections[x]; sel == nil || sel.Indirect() {
					return
				}
				e = x.X
			case *ast.IndexExpr:
				if _, array := under(info.TypeOf(x.X)).(*types.Array); !array {
					return
				}
				e = x.X
			default:
				return
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				take(n.X)
			}
		case *ast.SliceExpr:
			if _, array := under(info.TypeOf(n.X)).(*types.Array); array {
				take(n.X)
			}
		case *ast.SelectorExpr:
			sel := info.Selections[n]
			if sel == nil || sel.Kind() != types.MethodVal {
				return true
			}
			_, wants := sel.Obj().(*types.Func).Signature().Recv().Type().Underlying().(*types.Pointer)
			if _, has := under(sel.Recv()).(*types.Pointer); wants && !has && !sel.Indirect() {
				take(n.X)
			}
		}
		return true
	})
	return vars
}

// shared reports whether an expression is a variable that may be in memory
// which processes share: what a pointer or a slice leads to, a package's
// variable, or one that a function literal has captured or whose address is
// taken.
func (w *writer) shared(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, ok := w.Info.Uses[e].(*types.Var)
		return ok && !v.IsField() && (w.captured[e] || w.addressed[v] || v.Pkg() != nil && v.Parent() == v.Pkg().Scope())
	case *ast.SelectorExpr:
		sel := w.Info.Selections[e]
		if sel == nil { // a package's variable
			_, ok := w.Info.Uses[e.Sel].(*types.Var)
			return ok
		}
		return sel.Kind() == types.FieldVal && (sel.Indirect() || w.shared(e.X))
	case *ast.IndexExpr:
		switch w.typ(e.X).(type) {
		case *types.Slice, *types.Pointer:
			return true
		case *types.Array:
			return w.shared(e.X)
		}
	case *ast.StarExpr:
		return !w.Info.Types[e].IsType()
	}
	return false
}

// typ returns the underlying type of an expression.
func (w *writer) typ(e ast.Expr) types.Type {
	t := w.Info.TypeOf(e)
	if t == nil {
		return nil
	}
	return under(t)
}

// under returns the underlying type, or the one that all types of a type
// parameter share.
func under(t types.Type) types.Type {
	if tp, ok := types.Unalias(t).(*types.TypeParam); ok {
		if all := common(tp.Underlying()); all != nil {
			return all
		}
	}
	return t.Underlying()
}

// common returns the underlying type that all types of a constraint share, or nil.
func common(constraint types.Type) types.Type {
	of, ok := constraint.Underlying().(*types.Interface)
	if !ok {
		return constraint.Underlying()
	}
	for e := range of.EmbeddedTypes() {
		if all := commonOfTerms(e); all != nil {
			return all
		}
	}
	return nil
}

// commonOfTerms returns the underlying type that all types of an element of a constraint share, or nil.
func commonOfTerms(element types.Type) (all types.Type) {
	union, ok := element.(*types.Union)
	if !ok {
		return common(element)
	}
	for term := range union.Terms() {
		of := common(term.Type())
		if of == nil || all != nil && !types.Identical(of, all) {
			return nil
		}
		all = of
	}
	return all
}
