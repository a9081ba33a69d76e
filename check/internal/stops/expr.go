package stops

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// Visit rewrites a node whose value is used.
func (w *writer) Visit(n ast.Node) ast.Visitor {
	if e, ok := n.(ast.Expr); ok {
		if tv, ok := w.Info.Types[e]; ok && (tv.IsType() || tv.Value != nil) {
			return nil
		}
	}
	switch n := n.(type) {
	case *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr, *ast.StarExpr:
		w.read(n.(ast.Expr))
	case *ast.UnaryExpr:
		if n.Op != token.AND {
			return w
		}
		w.addr(n.X)
	case *ast.SliceExpr:
		if _, ok := w.typ(n.X).(*types.Array); ok {
			w.addr(n.X)
		} else {
			w.value(n.X)
		}
		w.value(n.Low)
		w.value(n.High)
		w.value(n.Max)
	case *ast.CallExpr:
		return w.call(n)
	case *ast.FuncLit:
		w.literal(n)
	case *ast.CompositeLit:
		_, isStruct := w.typ(n).(*types.Struct)
		for _, e := range n.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok && isStruct {
				e = kv.Value
			}
			w.value(e)
		}
	case *ast.AssignStmt:
		w.assign(n)
	case *ast.IncDecStmt:
		w.incDec(n)
	case *ast.RangeStmt:
		w.loop(n)
	case *ast.FuncDecl:
		if n.Recv == nil && n.Name.Name == "main" && w.Types.Name() == "main" {
			w.replace(n.Name.Pos(), n.Name.End(), "shmbench_main")
		}
		if n.Body != nil {
			ast.Walk(w, n.Body)
		}
	case *ast.LabeledStmt:
		ast.Walk(w, n.Stmt)
	case *ast.BranchStmt, *ast.ImportSpec, *ast.TypeSpec:
	case *ast.ValueSpec:
		for _, v := range n.Values {
			w.value(v)
		}
	default:
		return w
	}
	return nil
}

// value rewrites an expression whose value is used; nil is no expression.
func (w *writer) value(e ast.Expr) {
	if e != nil {
		ast.Walk(w, e)
	}
}

// read rewrites the reading of a variable.
func (w *writer) read(e ast.Expr) {
	if s, ok := e.(*ast.SelectorExpr); ok {
		if sel := w.Info.Selections[s]; sel != nil && sel.Kind() == types.MethodVal {
			if s == w.called {
				w.receiver(s, sel)
			} else {
				w.bound(s, sel)
			}
			return
		} else if sel != nil && sel.Kind() == types.MethodExpr {
			return
		}
	}
	switch {
	case !w.shared(e):
		w.addr(e)
	case isStar(e):
		w.replace(e.Pos(), e.Pos()+1, read)
		w.value(e.(*ast.StarExpr).X)
		w.insert(e.End(), end)
	default:
		w.insert(e.Pos(), read+"&")
		w.addr(e)
		w.insert(e.End(), end)
	}
}

func isPointer(t types.Type) bool {
	_, is := under(t).(*types.Pointer)
	return is
}

func isStar(e ast.Expr) bool {
	_, ok := e.(*ast.StarExpr)
	return ok
}

// addr rewrites what is read to find a variable, and not the reading of the
// variable itself. What is no variable is a value.
func (w *writer) addr(e ast.Expr) {
	switch e := e.(type) {
	case *ast.Ident:
	case *ast.ParenExpr:
		w.addr(e.X)
	case *ast.StarExpr:
		w.value(e.X)
	case *ast.IndexExpr:
		switch w.typ(e.X).(type) {
		case *types.Array:
			w.addr(e.X)
		case *types.Signature:
			return
		default:
			w.value(e.X)
		}
		w.value(e.Index)
	case *ast.SelectorExpr:
		sel := w.Info.Selections[e]
		if sel == nil {
			return
		}
		w.path(e.X, w.embedded(e, sel), asAddress)
	default:
		w.value(e)
	}
}

// embedded returns the embedded fields that a selection passes through.
func (w *writer) embedded(e *ast.SelectorExpr, sel *types.Selection) []*types.Var {
	var fields []*types.Var
	t := sel.Recv()
	for _, i := range sel.Index()[:len(sel.Index())-1] {
		if p, ok := under(t).(*types.Pointer); ok {
			t = p.Elem()
		}
		f := under(t).(*types.Struct).Field(i)
		fields = append(fields, f)
		t = f.Type()
	}
	return fields
}

// How the operand of a selection is used.
const (
	asAddress = iota // only where it is, or the pointer that it is
	asValue          // it is copied
	asTarget         // it is a pointer, and what it leads to is copied
)

// path rewrites x, the operand of a selection through embedded fields. Pointers
// that it is led through are read, and so is a last one.
func (w *writer) path(x ast.Expr, fields []*types.Var, use int) {
	isShared := w.shared(x)
	t := w.Info.TypeOf(x)
	at := len(w.edits)
	_, isPointer := under(t).(*types.Pointer)
	_, isInterface := under(t).(*types.Interface)
	switch {
	case isPointer, isInterface, use == asValue && len(fields) == 0:
		w.value(x)
	default:
		w.addr(x)
	}
	opens, tail, pending, foreign := "", "", "", false
	for i, f := range fields {
		isShared = isShared || isPointer
		pending += "." + f.Name()
		foreign = foreign || !f.Exported() && f.Pkg() != w.Types
		_, isPointer = under(f.Type()).(*types.Pointer)
		last := i == len(fields)-1
		_, isInterface = under(f.Type()).(*types.Interface)
		if isShared && (isPointer || isInterface || last && use == asValue) {
			opens, tail, pending = read+"&"+opens, tail+pending+end, ""
		}
	}
	if use == asTarget {
		opens, tail, pending = read+opens, tail+pending+end, ""
	}
	if opens != "" {
		if foreign {
			w.unsupported(x, "selects through a field that another package embeds")
		}
		w.edits = append(w.edits[:at:at], append([]edit{{w.offset(x.Pos()), w.offset(x.Pos()), opens}}, w.edits[at:]...)...)
		w.insert(x.End(), tail)
	}
}

// bound rewrites the operand of a method value, and makes the receiver known that the
// value keeps.
func (w *writer) bound(e *ast.SelectorExpr, sel *types.Selection) {
	fields := w.embedded(e, sel)
	opens, through := harness+".Bound(", isPointer(sel.Recv())
	for _, f := range fields {
		_, isInterface := under(f.Type()).(*types.Interface)
		through = through || isInterface || isPointer(f.Type())
	}
	if !through && w.use(sel, fields) == asAddress {
		opens += "&"
	}
	w.insert(e.X.Pos(), opens)
	w.receiver(e, sel)
	w.insert(e.X.End(), ")")
}

// receiver rewrites the operand of a method, which is called or bound.
func (w *writer) receiver(e *ast.SelectorExpr, sel *types.Selection) {
	fields := w.embedded(e, sel)
	w.path(e.X, fields, w.use(sel, fields))
}

// use returns how a method uses its operand, or the last of the fields that it is
// promoted through.
func (w *writer) use(sel *types.Selection, fields []*types.Var) int {
	operand := sel.Recv()
	if len(fields) > 0 {
		operand = fields[len(fields)-1].Type()
	}
	// A method of a type parameter is of the pointer itself, if its types are pointers.
	_, parameter := types.Unalias(operand).(*types.TypeParam)
	pointer := isPointer(operand) && !parameter
	_, wantsPointer := sel.Obj().(*types.Func).Signature().Recv().Type().Underlying().(*types.Pointer)
	switch {
	case wantsPointer:
		return asAddress
	case pointer:
		return asTarget
	}
	return asValue
}

// call rewrites a call.
func (w *writer) call(c *ast.CallExpr) ast.Visitor {
	fun := ast.Unparen(c.Fun)
	w.called, _ = fun.(*ast.SelectorExpr)
	tv := w.Info.Types[fun]
	switch {
	case tv.IsType():
		_, from := w.typ(c.Args[0]).(*types.Pointer)
		if b, ok := under(tv.Type).(*types.Basic); ok && b.Kind() == types.UnsafePointer && from {
			w.insert(c.Args[0].Pos(), harness+".Mark(")
			w.value(c.Args[0])
			w.insert(c.Args[0].End(), ")")
			return nil
		}
		_, toArray := under(tv.Type).(*types.Array)
		if _, slice := w.typ(c.Args[0]).(*types.Slice); slice && toArray { // its elements are read
			w.insert(c.Pos(), read+"(*")
			w.insert(c.Fun.End(), ")")
			w.value(c.Args[0])
			w.insert(c.End(), end)
			return nil
		}
		return w
	case tv.IsBuiltin():
		w.builtin(c, fun)
		return nil
	case w.sleeps(fun):
		// What a process does in the meantime is the schedule's affair.
		w.replace(fun.Pos(), fun.End(), harness+".Sleep")
		for _, a := range c.Args {
			w.value(a)
		}
		return nil
	}
	return w
}

// sleeps reports whether an expression is time.Sleep, and keeps its import in
// use.
func (w *writer) sleeps(fun ast.Expr) bool {
	id, ok := fun.(*ast.Ident)
	text := ""
	if s, selects := fun.(*ast.SelectorExpr); selects {
		if pkg, named := s.X.(*ast.Ident); named {
			id, ok, text = s.Sel, true, pkg.Name+"."
		}
	}
	if !ok {
		return false
	}
	f, ok := w.Info.Uses[id].(*types.Func)
	if !ok || f.FullName() != "time.Sleep" {
		return false
	}
	w.kept = "\nvar _ = " + text + id.Name + "\n"
	return true
}

// isText reports whether bytes are appended or copied from a string, or from a value of a
// type parameter that may be a string.
func isText(t types.Type) bool {
	switch t := t.(type) {
	case *types.Basic:
		return t.Info()&types.IsString != 0
	case *types.Interface:
		return true
	}
	return false
}

func (w *writer) builtin(c *ast.CallExpr, fun ast.Expr) {
	name := ""
	switch f := fun.(type) {
	case *ast.Ident:
		name = f.Name
	case *ast.SelectorExpr:
		name = f.Sel.Name
	}
	switch name {
	case "Sizeof", "Offsetof", "Alignof":
		return
	case "len", "cap":
		if _, ok := w.typ(c.Args[0]).(*types.Array); ok { // its elements are not read
			w.addr(c.Args[0])
			return
		}
	case "append":
		w.replace(c.Pos(), c.Args[0].Pos(), harness+".Slice(")
		w.value(c.Args[0])
		if len(c.Args) == 1 {
			w.insert(c.Args[0].End(), ").Append(")
			return
		}
		if c.Ellipsis.IsValid() && isText(w.typ(c.Args[1])) {
			w.replace(c.Args[0].End(), c.Args[1].Pos(), ").Append("+harness+".Bytes(")
			w.value(c.Args[1])
			w.insert(c.Args[1].End(), ")")
			return
		}
		w.replace(c.Args[0].End(), c.Args[1].Pos(), ").Append(")
		for _, a := range c.Args[1:] {
			w.value(a)
		}
		return
	case "copy":
		to := "Copy("
		if isText(w.typ(c.Args[1])) {
			to = "CopyText("
		}
		w.replace(c.Pos(), c.Args[0].Pos(), harness+"."+to)
	case "clear":
		if _, ok := w.typ(c.Args[0]).(*types.Slice); ok {
			w.replace(c.Pos(), c.Args[0].Pos(), harness+".Clear(")
		}
	}
	for _, a := range c.Args {
		w.value(a)
	}
}

// literal rewrites a function literal, and makes the variables known that it
// has captured.
func (w *writer) literal(f *ast.FuncLit) {
	var vars []string
	seen := map[string]bool{}
	ast.Inspect(f.Body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || !w.captured[id] {
			return true
		}
		if v := w.Info.Uses[id]; (v.Pos() < f.Pos() || v.Pos() >= f.End()) && !seen[id.Name] {
			seen[id.Name] = true
			vars = append(vars, "&"+id.Name)
		}
		return true
	})
	if len(vars) == 0 {
		ast.Walk(w, f.Body)
		return
	}
	w.insert(f.Pos(), harness+".Capture(")
	ast.Walk(w, f.Body)
	w.insert(f.End(), ", "+strings.Join(vars, ", ")+")")
}
