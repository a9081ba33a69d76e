package load

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/gcexportdata"
	"golang.org/x/tools/go/ssa"

	"shmbench/check/internal/stops"
	"shmbench/internal/build/edit"
	"shmbench/internal/build/gocmd"
)

// Program is a package in SSA form, together with every package from outside
// the standard library that it is made of.
type Program struct {
	Main  *ssa.Package
	Fset  *token.FileSet
	Sizes types.Sizes
	// ModuleDir is the directory of the main package's module, which file
	// names in reports are relative to.
	ModuleDir string
	// From is the directory from which the package was looked up.
	From string
	// Dir is the main package's directory. Sources are the packages that are
	// interpreted, except for those of the standard library; Spin says whether
	// package spin is there, which is not among them: its waits are not
	// interpreted.
	Dir     string
	Sources []Source
	Spin    bool
	// Futex says whether package futex is among Sources: locks are built with its model.
	Futex   bool
	foreign map[string]bool
	labels  map[string]map[int]string
	// edited has the files that are not on disk, by their full names.
	edited map[string]edit.File
}

// Source is a package whose source has been read.
type Source struct {
	stops.Package
	Files []*ast.File
}

// pure are the packages of the standard library that a lock may compute with:
// they are interpreted like the lock itself.
var pure = map[string]bool{"cmp": true, "slices": true, "math/bits": true}

// interpreted reports whether a package's source is read. Of the others only
// the types are known.
func interpreted(p *listed) bool {
	if p.ImportPath == "shmbench/shm/register" {
		return false // like those of sync/atomic, its operations are the accesses
	}
	if p.Standard {
		return pure[p.ImportPath]
	}
	return len(p.CgoFiles) == 0 && !strings.HasPrefix(p.ImportPath, "golang.org/x/")
}

// Load reads the package that pattern names, as seen from the directory dir.
func Load(ctx context.Context, dir, pattern string) (*Program, error) {
	all, err := list(ctx, dir, pattern)
	if err != nil {
		return nil, err
	}
	l, p, err := begin(ctx, dir)
	if err != nil {
		return nil, err
	}
	for _, pkg := range all {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		made, err := l.load(pkg, p)
		if err != nil {
			return nil, err
		}
		if pkg.DepOnly {
			continue
		}
		if len(pkg.CgoFiles) > 0 {
			return nil, fmt.Errorf("%s uses cgo (%s), which cannot be read", pkg.ImportPath, pkg.CgoFiles[0])
		}
		if p.Main != nil {
			return nil, fmt.Errorf("%s names more than one package; give one", pattern)
		}
		p.Main = made
		p.Dir = pkg.Dir
		if p.ModuleDir = pkg.Dir; pkg.Module != nil {
			p.ModuleDir = pkg.Module.Dir
		}
	}
	if p.Main == nil {
		return nil, fmt.Errorf("%s names no package", pattern)
	}
	if p.Main.Pkg.Name() == "" || p.Main.Func("init") == nil {
		return nil, fmt.Errorf("%s has no Go source to read", pattern)
	}
	l.prog.Build()
	return p, nil
}

// begin returns an empty program whose packages are looked up from a directory.
func begin(ctx context.Context, dir string) (*loader, *Program, error) {
	arch, err := architecture(ctx, dir)
	if err != nil {
		return nil, nil, err
	}
	l := &loader{
		fset:  token.NewFileSet(),
		sizes: types.SizesFor("gc", arch),
		types: map[string]*types.Package{"unsafe": types.Unsafe},
	}
	l.prog = ssa.NewProgram(l.fset, ssa.InstantiateGenerics|ssa.GlobalDebug)
	return l, &Program{Fset: l.fset, Sizes: l.sizes, From: dir, labels: map[string]map[int]string{}, foreign: map[string]bool{},
		edited: map[string]edit.File{}}, nil
}

// language returns the version of Go that a package is written in.
func (p *listed) language() string {
	switch {
	case p.Module == nil:
		return "" // that of the toolchain
	case p.Module.GoVersion == "":
		return "go1.16" // what a module means that does not say
	}
	return "go" + p.Module.GoVersion
}

type loader struct {
	fset  *token.FileSet
	sizes types.Sizes
	prog  *ssa.Program
	types map[string]*types.Package
}

// load adds one package, whose dependencies have been added.
func (l *loader) load(p *listed, to *Program) (*ssa.Package, error) {
	if p.ImportPath == "unsafe" {
		return l.prog.CreatePackage(types.Unsafe, nil, nil, true), nil
	}
	if !interpreted(p) {
		return l.fromExport(p)
	}
	var files []*ast.File
	for _, name := range p.GoFiles {
		path := filepath.Join(p.Dir, name)
		text, err := to.Text(path)
		if err != nil {
			return nil, err
		}
		f, err := parser.ParseFile(l.fset, path, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, fmt.Errorf("cannot parse: %s", gocmd.FirstLine(err.Error()))
		}
		files = append(files, f)
		to.labels[path] = labels(l.fset, f)
		to.foreign[path] = p.Standard || p.ImportPath == "shmbench/shm/spin"
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{},
		Uses: map[*ast.Ident]types.Object{}, Implicits: map[ast.Node]types.Object{},
		Scopes: map[ast.Node]*types.Scope{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
		Instances: map[*ast.Ident]types.Instance{}, FileVersions: map[*ast.File]string{},
	}
	conf := types.Config{Sizes: l.sizes, Importer: importer{l, p.ImportMap}, GoVersion: p.language()}
	pkg, err := conf.Check(p.ImportPath, l.fset, files, info)
	if err != nil {
		return nil, fmt.Errorf("cannot compile: %w", to.relocated(err))
	}
	l.types[p.ImportPath] = pkg
	switch {
	case p.ImportPath == "shmbench/shm/spin":
		to.Spin = true
	case !p.Standard:
		to.Futex = to.Futex || p.ImportPath == "shmbench/shm/futex"
		to.Sources = append(to.Sources, Source{stops.Package{Fset: l.fset, Types: pkg, Info: info}, files})
	}
	return l.prog.CreatePackage(pkg, files, info, true), nil
}

// fromExport adds the types of a package, without its source.
func (l *loader) fromExport(p *listed) (*ssa.Package, error) {
	f, err := os.Open(p.Export)
	if err != nil {
		return nil, fmt.Errorf("cannot read the compiled form of %s: %v", p.ImportPath, err)
	}
	defer f.Close()
	//lint:ignore SA1019 "go list -export" names archives, which nothing else finds the export data in
	r, err := gcexportdata.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("cannot read the compiled form of %s: %v", p.ImportPath, err)
	}
	pkg, err := gcexportdata.Read(r, l.fset, l.types, p.ImportPath)
	if err != nil {
		return nil, fmt.Errorf("cannot read the compiled form of %s: %v", p.ImportPath, err)
	}
	l.types[p.ImportPath] = pkg
	return l.prog.CreatePackage(pkg, nil, nil, true), nil
}

type importer struct {
	l   *loader
	via map[string]string
}

func (i importer) Import(path string) (*types.Package, error) {
	if actual, ok := i.via[path]; ok {
		path = actual
	}
	if pkg := i.l.types[path]; pkg != nil {
		return pkg, nil
	}
	return nil, fmt.Errorf("package %s is not loaded", path)
}
