package edit

import (
	"fmt"
	"go/ast"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"shmbench/internal/build/sources"
)

// Part returns a program whose function All lists the locks of some families only. It
// lists them in the order of the package in folder dir, such as "catalog". To read or
// compile that program takes a fraction of the time that the whole package takes. Part
// returns nil if the list cannot be taken apart: each mention of a family must be in
// an argument of slices.Concat that uses nothing of the package except functions.
func (t *Tree) Part(dir string, families []string) (*Program, error) {
	files, err := t.folder(dir)
	if err != nil {
		return nil, err
	}
	p := &part{families: map[string]bool{}, imports: map[string]bool{"slices": true, sources.Module + "/shm": true}, functions: map[string]string{}}
	for _, family := range families {
		p.families[family] = true
	}
	mentions := 0
	for _, s := range files {
		mentions += p.mentionsIn(s.ast)
		if !p.collect(s, files) {
			return nil, nil
		}
	}
	if mentions == 0 || mentions != p.mentions {
		return nil, nil
	}
	name := dir + "/part"
	return &Program{Root: t.Root, Path: sources.Module + "/" + name, PartOf: sources.Module + "/" + dir, Packages: []Package{{
		As: "part of " + dir, Path: sources.Module + "/" + name, Dir: filepath.Join(t.Root, filepath.FromSlash(name)),
		Files: []File{{Name: "part.go", Text: p.text(files[0].ast.Name.Name)}},
	}}}, nil
}

// part is what Part has collected.
type part struct {
	families  map[string]bool
	lists     []string          // the texts of the arguments
	mentions  int               // of the families in them
	imports   map[string]bool   // that they need
	functions map[string]string // of the package, by name, that they need
}

// mentionsIn counts the mentions of the families in a node.
func (p *part) mentionsIn(n ast.Node) (count int) {
	ast.Inspect(n, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := sel.X.(*ast.Ident); ok && p.families[id.Name] {
				count++
			}
		}
		return true
	})
	return count
}

// collect adds the arguments of slices.Concat in a file that mention a family. It reports
// whether it can take all of them out of the package.
func (p *part) collect(s *source, files []*source) bool {
	ok := true
	ast.Inspect(s.ast, func(n ast.Node) bool {
		call, is := n.(*ast.CallExpr)
		if !is || s.between(call.Fun) != "slices.Concat" {
			return true
		}
		for _, arg := range call.Args {
			if count := p.mentionsIn(arg); count > 0 {
				p.lists = append(p.lists, s.between(arg))
				p.mentions += count
				ok = ok && p.needs(arg, s, files)
			}
		}
		return true
	})
	return ok
}

// needs adds the imports and functions that an argument needs. It reports whether these
// are all that the argument needs.
func (p *part) needs(arg ast.Expr, s *source, files []*source) bool {
	all := true
	var visit func(ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			ast.Inspect(n.X, visit)
			return false
		case *ast.Ident:
			all = all && p.need(n.Name, s, files)
		}
		return true
	}
	ast.Inspect(arg, visit)
	return all
}

// need adds the import of a name in a file or the function of a name.
func (p *part) need(name string, s *source, files []*source) bool {
	for _, spec := range s.ast.Imports {
		if file, _ := strconv.Unquote(spec.Path.Value); spec.Name == nil && path.Base(file) == name {
			p.imports[file] = true
			return true
		}
	}
	for _, s := range files {
		for _, d := range s.ast.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == name {
				p.functions[name] = s.between(f)
				return true
			}
		}
	}
	return false
}

// text is the file of the program.
func (p *part) text(name string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\nimport (\n", name)
	for _, file := range slices.Sorted(maps.Keys(p.imports)) {
		fmt.Fprintf(&b, "\t%q\n", file)
	}
	b.WriteString(")\n\n// All returns the locks of some families.\nfunc All() []shm.Algorithm {\n\treturn slices.Concat(\n")
	for _, list := range p.lists {
		fmt.Fprintf(&b, "\t\t%s,\n", list)
	}
	b.WriteString("\t)\n}\n")
	for _, function := range slices.Sorted(maps.Values(p.functions)) {
		fmt.Fprintf(&b, "\n%s\n", function)
	}
	return b.String()
}

// between returns the text of a node.
func (s *source) between(n ast.Node) string { return s.text[s.offset(n.Pos()):s.offset(n.End())] }
