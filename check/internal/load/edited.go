package load

import (
	"context"
	"fmt"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"shmbench/internal/build/edit"
)

// Edited reads packages of changed locks. It reads the packages that they import once for
// all.
func Edited(ctx context.Context, e *edit.Program) (*Program, error) {
	imports, err := outside(e)
	if err != nil {
		return nil, err
	}
	all, err := list(ctx, e.Root, imports...)
	if err != nil {
		return nil, err
	}
	l, p, err := begin(ctx, e.Root)
	if err != nil {
		return nil, err
	}
	of := &listed{}
	for _, pkg := range all {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if _, err := l.load(pkg, p); err != nil {
			return nil, err
		}
		if pkg.Module != nil && pkg.Module.Dir == e.Root {
			of.Module = pkg.Module
		}
	}
	for _, pkg := range e.Packages {
		virtual := &listed{ImportPath: pkg.Path, Dir: pkg.Dir, Module: of.Module}
		for _, f := range pkg.Files {
			virtual.GoFiles = append(virtual.GoFiles, f.Name)
			p.edited[filepath.Join(pkg.Dir, f.Name)] = f
		}
		if p.Main, err = l.load(virtual, p); err != nil {
			return nil, fmt.Errorf("%s: %w", pkg.As, err)
		}
		p.Dir = pkg.Dir
	}
	p.ModuleDir = e.Root
	l.prog.Build()
	return p, nil
}

// outside returns the import paths of the packages that are not in the program itself.
func outside(e *edit.Program) ([]string, error) {
	found := map[string]bool{}
	for _, pkg := range e.Packages {
		for _, f := range pkg.Files {
			parsed, err := parser.ParseFile(token.NewFileSet(), f.Name, f.Text, parser.ImportsOnly)
			if err != nil {
				return nil, err
			}
			for _, spec := range parsed.Imports {
				path, err := strconv.Unquote(spec.Path.Value)
				if err != nil {
					return nil, err
				}
				found[path] = true
			}
		}
	}
	for _, pkg := range e.Packages {
		delete(found, pkg.Path)
	}
	delete(found, "unsafe")
	return slices.Sorted(maps.Keys(found)), nil
}

// Text returns the text of a source file by its full name, which need not be on disk.
func (p *Program) Text(name string) ([]byte, error) {
	if f, ok := p.edited[name]; ok {
		return []byte(f.Text), nil
	}
	return os.ReadFile(name)
}
