// Package globals finds package-level variables that the passages of a lock use. Each
// process of the operating system has such a variable for itself, so that the lock does not
// exclude between processes.
package globals

import (
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"shmbench/shm/region"
)

// entries are the methods that make the passages of a lock.
var entries = []string{"Lock", "Unlock", "TryLock", "LockUntil", "RLock", "RUnlock", "TryRLock"}

// waiting is the package with the waiting policy, which travels with a region.
const waiting = "shmbench/shm/spin"

// Find loads the packages that the patterns name in a directory, as "go list" does. It
// returns a *region.Refusal for each package-level variable that the passages of a lock of
// these packages may write or share: a variable is harmless if it has a plain value that no
// function of the packages changes. Find follows calls of functions and methods whose code
// is known, in these packages and in those of the same module. The standard library and
// package spin are harmless.
func Find(ctx context.Context, dir string, patterns ...string) ([]*region.Refusal, error) {
	asked, loaded, err := load(ctx, dir, patterns)
	if err != nil {
		return nil, err
	}
	f := &finder{bodies: map[*types.Func]function{}, changed: map[*types.Var]bool{}, visited: map[*types.Func]bool{}, found: map[*types.Var]*region.Refusal{}}
	for _, p := range loaded {
		f.read(p)
	}
	for _, p := range loaded {
		if asked[p.PkgPath] {
			f.passages(p)
		}
	}
	all := slices.Collect(maps.Values(f.found))
	slices.SortFunc(all, func(a, b *region.Refusal) int { return strings.Compare(a.Path, b.Path) })
	return all, nil
}

// load returns the paths of the packages that the patterns name, and the source of these and
// of all that they import, except the standard library and package spin.
func load(ctx context.Context, dir string, patterns []string) (asked map[string]bool, loaded []*packages.Package, err error) {
	c := &packages.Config{Context: ctx, Dir: dir, Mode: packages.NeedName | packages.NeedImports | packages.NeedDeps | packages.NeedModule}
	named, err := packages.Load(c, patterns...)
	if err != nil {
		return nil, nil, err
	}
	asked = map[string]bool{}
	for _, p := range named {
		if len(p.Errors) > 0 {
			return nil, nil, p.Errors[0]
		}
		asked[p.PkgPath] = true
	}
	var paths []string
	packages.Visit(named, nil, func(p *packages.Package) {
		if p.Module != nil && p.PkgPath != waiting {
			paths = append(paths, p.PkgPath)
		}
	})
	c.Mode = packages.NeedName | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo
	if loaded, err = packages.Load(c, paths...); err != nil {
		return nil, nil, err
	}
	for _, p := range loaded {
		if len(p.Errors) > 0 {
			return nil, nil, p.Errors[0]
		}
	}
	return asked, loaded, nil
}

// function is the code of a function.
type function struct {
	body *ast.BlockStmt
	p    *packages.Package
}

// finder follows calls from the passages of locks on.
type finder struct {
	bodies  map[*types.Func]function
	changed map[*types.Var]bool // package-level variables that a function assigns to, or whose address it takes
	visited map[*types.Func]bool
	found   map[*types.Var]*region.Refusal
}

// read finds the functions of a package, and the variables that they change.
func (f *finder) read(p *packages.Package) {
	for _, file := range p.Syntax {
		for _, d := range file.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil {
				f.bodies[p.TypesInfo.Defs[d.Name].(*types.Func)] = function{d.Body, p}
				f.changes(p, d.Body)
			}
		}
	}
}

// changes notes the package-level variables that a function may change.
func (f *finder) changes(p *packages.Package, body *ast.BlockStmt) {
	note := func(e ast.Expr) {
		if v := base(p, e); v != nil {
			f.changed[v] = true
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				note(e)
			}
		case *ast.IncDecStmt:
			note(n.X)
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				note(n.X)
			}
		case *ast.RangeStmt:
			note(n.Key)
			note(n.Value)
		}
		return true
	})
}

// base is the package-level variable that an expression is a part of, or nil.
func base(p *packages.Package, e ast.Expr) *types.Var {
	for {
		switch x := e.(type) {
		case *ast.ParenExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.SelectorExpr:
			if v := global(p.TypesInfo.Uses[x.Sel]); v != nil {
				return v
			}
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.Ident:
			return global(p.TypesInfo.Uses[x])
		default:
			return nil
		}
	}
}

// global returns an object that is a package-level variable, or nil.
func global(o types.Object) *types.Var {
	v, ok := o.(*types.Var)
	if !ok || v.Pkg() == nil || v.IsField() || v.Parent() != v.Pkg().Scope() {
		return nil
	}
	return v
}

// passages follows the methods of a package that make passages.
func (f *finder) passages(p *packages.Package) {
	for fn := range f.bodies {
		if fn.Pkg() == p.Types && fn.Signature().Recv() != nil && slices.Contains(entries, fn.Name()) {
			f.follow(fn, fn)
		}
	}
}

// follow looks at a function, and at those that it calls, on behalf of the passages of entry.
func (f *finder) follow(entry, fn *types.Func) {
	code, ok := f.bodies[fn.Origin()]
	if !ok || f.visited[fn.Origin()] {
		return
	}
	f.visited[fn.Origin()] = true
	ast.Inspect(code.body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		switch o := code.p.TypesInfo.Uses[id].(type) {
		case *types.Func:
			f.follow(entry, o)
		case *types.Var:
			if v := global(o); v != nil && f.shared(v) {
				f.note(entry, v, code.p.Fset.Position(id.Pos()))
			}
		}
		return true
	})
}

// shared reports whether a variable is more than a value that never changes.
func (f *finder) shared(v *types.Var) bool {
	return v.Pkg().Path() != waiting && (f.changed[v] || !plain(v.Type()))
}

// plain reports whether a value of type t has no part that a method or another holder of
// the same memory could change.
func plain(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() != types.UnsafePointer
	case *types.Array:
		return plain(u.Elem())
	case *types.Slice:
		return plain(u.Elem())
	case *types.Interface:
		return types.Implements(u, errorType) // an error value, which passages compare
	case *types.Struct:
		if named, ok := types.Unalias(t).(*types.Named); ok && named.Obj().Pkg() != nil && strings.HasPrefix(named.Obj().Pkg().Path(), "sync") {
			return false
		}
		for i := range u.NumFields() {
			if !plain(u.Field(i).Type()) {
				return false
			}
		}
		return true
	}
	return false
}

var errorType = types.Universe.Lookup("error").Type().Underlying().(*types.Interface)

func (f *finder) note(entry *types.Func, v *types.Var, at token.Position) {
	if f.found[v] != nil {
		return
	}
	f.found[v] = &region.Refusal{
		Path: v.Pkg().Path() + "." + v.Name(),
		Type: v.Type().String(),
		Why:  fmt.Sprintf("%s uses it at %s, and each process has its own package-level variable", entry.FullName(), at),
	}
}
