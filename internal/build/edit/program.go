package edit

import (
	"fmt"
	"go/ast"
	"go/parser"
	"path"
	"path/filepath"
	"strings"

	"shmbench/internal/build/overlay"
	"shmbench/internal/build/sources"
)

// Lock is a changed copy of a lock.
type Lock struct {
	Name string `json:"name"` // of the lock, "queue/mcs"
	As   string `json:"as"`   // the name of the copy, "mutants/mcs-tail-kept"
	// Spec is the Go expression for the specification, in the lock's package. If it is
	// empty, it is the lock's own function, for packed registers.
	Spec     string `json:"spec,omitempty"`
	Released bool   `json:"released,omitempty"` // Spec, if it is empty, is of the variant with release stores
	File     string `json:"file,omitempty"`     // that is edited; empty: the lock's
	Edits    []Edit `json:"edits"`
}

// Program is Go packages that are in no folder, of changed locks. The last one, Path,
// has a function All, which returns the specifications.
type Program struct {
	Root     string
	Path     string
	Packages []Package
	Locks    []Lock // the changed locks
	Also     string // the import path of the package that lists others, or ""
	PartOf   string // the import path of the package whose list All is a part of, or ""
}

// Package is a package of a Program. Its folder need not exist.
type Package struct {
	As        string // the changed lock
	Path, Dir string
	Files     []File
}

// File is a file of a Package, and Origin the file of the tree that it copies, or "".
type File struct {
	Name, Origin, Text string
}

// Program makes packages of changed locks. The function All has those before them that
// are listed by function Specs of the package also, if it is not empty.
func (t *Tree) Program(name string, locks []Lock, also string) (*Program, error) {
	p := &Program{Root: t.Root, Path: sources.Module + "/" + name, Locks: locks, Also: also}
	var imports, list strings.Builder
	for i, l := range locks {
		sub := fmt.Sprintf("%s/%s", name, path.Base(l.As))
		packages, err := t.packages(sub, l)
		if err != nil {
			return nil, fmt.Errorf("%s, which is %s with edits: %w", l.As, l.Name, err)
		}
		p.Packages = append(p.Packages, packages...)
		fmt.Fprintf(&imports, "\tm%d %q\n", i, packages[len(packages)-1].Path)
		fmt.Fprintf(&list, "\t\tm%d.Edited(),\n", i)
	}
	all := fmt.Sprintf("[]shm.Algorithm{\n%s\t}", list.String())
	if also != "" {
		fmt.Fprintf(&imports, "\talso %q\n", also)
		all = fmt.Sprintf("append(also.Specs(), %s...)", all)
	}
	text := fmt.Sprintf("package edited\n\nimport (\n\t%q\n%s)\n\n// All returns the changed locks.\nfunc All() []shm.Algorithm {\n\treturn %s\n}\n", sources.Module+"/shm", imports.String(), all)
	p.Packages = append(p.Packages, Package{"all", p.Path, filepath.Join(t.Root, filepath.FromSlash(name)), []File{{Name: "edited.go", Text: text}}})
	return p, nil
}

// packages returns a copy of the lock's package with the edits made, or of as much of it
// as the lock needs. If the edited file is in another package, a copy of that comes first.
func (t *Tree) packages(at string, l Lock) ([]Package, error) {
	spec, file := l.Spec, l.File
	if spec == "" {
		var err error
		if spec, _, err = t.spec(l.Name, l.Released); err != nil {
			return nil, err
		}
	}
	if file == "" {
		var err error
		if file, err = t.File(l.Name); err != nil {
			return nil, err
		}
	}
	changed, _, err := t.Apply(file, l.Edits)
	if err != nil {
		return nil, err
	}
	edited, err := parse(file, changed)
	if err != nil {
		return nil, err
	}
	ids, err := identifiers(spec)
	if err != nil {
		return nil, fmt.Errorf("spec: %s: %w", spec, err)
	}
	family := t.family(l.Name)
	var packages []Package
	var first []*source
	replace := map[string]string{}
	if dir := path.Dir(file); dir != family {
		files, err := t.folder(dir)
		if err != nil {
			return nil, err
		}
		other := at + "/" + dir
		packages = append(packages, t.copy(l.As, other, append([]*source{edited}, files...)))
		replace[sources.Module+"/"+dir] = sources.Module + "/" + other
	} else {
		first = []*source{edited}
	}
	files, err := t.needed(family, first, ids)
	if err != nil {
		return nil, err
	}
	own := t.copy(l.As, at, files)
	for i, f := range own.Files {
		text, err := overlay.Rewrite(f.Origin, []byte(f.Text), replace)
		if err != nil {
			return nil, err
		}
		own.Files[i].Text = string(text)
	}
	own.Files = append(own.Files, File{Name: "shmbench_edited.go", Text: fmt.Sprintf(
		"package %s\n\nimport %q\n\n// Edited is the changed lock.\nfunc Edited() shm.Algorithm {\n\ta := %s\n\ta.Name, a.Invariants = %q, nil\n\treturn a\n}\n",
		files[0].ast.Name.Name, sources.Module+"/shm", spec, l.As)})
	return append(packages, own), nil
}

// identifiers returns those of a Go expression.
func identifiers(expr string) (ids []string, err error) {
	x, err := parser.ParseExpr(expr)
	if err != nil {
		return nil, err
	}
	ast.Inspect(x, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			ids = append(ids, id.Name)
		}
		return true
	})
	return ids, nil
}

// copy returns a package of files; the first file of a name counts.
func (t *Tree) copy(as, at string, files []*source) Package {
	p := Package{As: as, Path: sources.Module + "/" + at, Dir: filepath.Join(t.Root, filepath.FromSlash(at))}
	seen := map[string]bool{}
	for _, s := range files {
		if !seen[s.name] {
			p.Files = append(p.Files, File{path.Base(s.name), s.name, s.text})
		}
		seen[s.name] = true
	}
	return p
}
