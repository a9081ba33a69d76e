package edit

import (
	"fmt"
	"go/ast"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"

	"shmbench/internal/build/sources"
)

// known are the packages that an edit may use without importing them.
var known = map[string]string{
	"spin": sources.Module + "/shm/spin", "shm": sources.Module + "/shm", "register": sources.Module + "/shm/register",
	"atomic": "sync/atomic", "bits": "math/bits", "slices": "slices",
}

// tidy makes a file that was edited compile: it drops the names of imports that are not
// used, imports packages that are, and uses variables that are not. No line moves.
func tidy(name, text string) (string, error) {
	s, err := parse(name, text)
	if err != nil {
		return "", fmt.Errorf("after the edit this is not Go: %w", err)
	}
	type insertion struct {
		at   int
		text string
	}
	var all []insertion
	used, other := s.qualifiers()
	for _, spec := range s.ast.Imports {
		file, _ := strconv.Unquote(spec.Path.Value)
		if name := path.Base(file); spec.Name == nil && !used[name] {
			all = append(all, insertion{s.offset(spec.Pos()), "_ "})
		} else if spec.Name == nil {
			delete(used, name)
		} else {
			delete(used, spec.Name.Name)
		}
	}
	for name := range used {
		if file, ok := known[name]; ok && !other[name] {
			all = append(all, insertion{s.offset(s.ast.Name.End()), fmt.Sprintf("; import %q", file)})
		}
	}
	for _, d := range s.ast.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
			for id, stmt := range unused(f) {
				all = append(all, insertion{s.offset(stmt.End()), "; _ = " + id})
			}
		}
	}
	slices.SortFunc(all, func(a, b insertion) int { return b.at - a.at })
	for _, i := range all {
		text = text[:i.at] + i.text + text[i.at:]
	}
	return text, nil
}

// qualifiers returns the names before the dots of the file's selectors, and the names of
// its parameters and fields, which may hide a package.
func (s *source) qualifiers() (used, other map[string]bool) {
	used, other = map[string]bool{}, map[string]bool{}
	ast.Inspect(s.ast, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if id, ok := n.X.(*ast.Ident); ok {
				used[id.Name] = true
			}
		case *ast.Field:
			for _, id := range n.Names {
				other[id.Name] = true
			}
		}
		return true
	})
	return used, other
}

// unused returns the local variables of a function that are declared and not used, with
// the statement of a block that declares them.
func unused(f *ast.FuncDecl) map[string]ast.Stmt {
	at := map[string]ast.Stmt{}
	uses := map[string]int{}
	declares := func(stmt ast.Stmt) (ids []ast.Expr) {
		switch stmt := stmt.(type) {
		case *ast.AssignStmt:
			if stmt.Tok == token.DEFINE || stmt.Tok == token.ASSIGN {
				return stmt.Lhs
			}
		case *ast.DeclStmt:
			if d := stmt.Decl.(*ast.GenDecl); d.Tok == token.VAR {
				for _, name := range declared(d) {
					ids = append(ids, &ast.Ident{Name: name})
				}
			}
		}
		return ids
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			uses[id.Name]++
		}
		var list []ast.Stmt
		switch n := n.(type) {
		case *ast.BlockStmt:
			list = n.List
		case *ast.CaseClause:
			list = n.Body
		}
		for _, stmt := range list {
			for _, x := range declares(stmt) {
				if id, ok := x.(*ast.Ident); ok && id.Name != "_" {
					uses[id.Name]--
					if a, ok := stmt.(*ast.AssignStmt); !ok || a.Tok == token.DEFINE {
						at[id.Name] = stmt
					}
				}
			}
		}
		return true
	})
	for name := range at {
		if uses[name] > 0 || strings.HasPrefix(name, "_") {
			delete(at, name)
		}
	}
	return at
}
