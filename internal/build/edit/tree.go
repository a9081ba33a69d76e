package edit

import (
	"context"
	"fmt"
	"go/ast"
	"go/build"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"shmbench/internal/build/sources"
)

// Tree is a source tree of this module. It keeps what it has read.
type Tree struct {
	Root  string
	files map[string][]*source // by folder
}

// Open returns the source tree of this module on this machine.
func Open(ctx context.Context) (*Tree, error) {
	root, err := sources.Dir(ctx)
	if err != nil {
		return nil, err
	}
	return At(root), nil
}

// At returns the source tree in a directory.
func At(root string) *Tree { return &Tree{Root: root, files: map[string][]*source{}} }

// family returns the folder of a lock's family.
func (t *Tree) family(lock string) string {
	return sources.Folder(os.DirFS(t.Root), path.Dir(lock))
}

// folder returns the files of a package, whose tests are left out.
func (t *Tree) folder(dir string) ([]*source, error) {
	if all, ok := t.files[dir]; ok {
		return all, nil
	}
	names, err := filepath.Glob(filepath.Join(t.Root, dir, "*.go"))
	if err != nil {
		return nil, err
	}
	var all []*source
	for _, name := range names {
		base := filepath.Base(name)
		if match, err := build.Default.MatchFile(filepath.Dir(name), base); err != nil || !match || strings.HasSuffix(base, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		s, err := parse(dir+"/"+base, string(text))
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no Go source in %s of %s", dir, t.Root)
	}
	t.files[dir] = all
	return all, nil
}

// file returns a file of the tree.
func (t *Tree) file(name string) (*source, error) {
	all, err := t.folder(path.Dir(name))
	if err != nil {
		return nil, err
	}
	for _, s := range all {
		if s.name == name {
			return s, nil
		}
	}
	return nil, fmt.Errorf("there is no file %s", name)
}

// Apply is the function Apply for a file of the tree.
func (t *Tree) Apply(name string, edits []Edit) (text string, replaced []string, err error) {
	s, err := t.file(name)
	if err != nil {
		return "", nil, err
	}
	return Apply(name, s.text, edits)
}

// Labels returns the labeled lines of a file of the tree.
func (t *Tree) Labels(name string) ([]Labelled, error) {
	s, err := t.file(name)
	if err != nil {
		return nil, err
	}
	return s.labels(), nil
}

// File returns the file of a lock: that of its name, or else the one that has its
// specification.
func (t *Tree) File(lock string) (string, error) {
	own := t.family(lock) + "/" + path.Base(lock) + ".go"
	if _, err := t.file(own); err == nil {
		return own, nil
	}
	_, file, err := t.spec(lock, false)
	return file, err
}

// spec returns the call that makes the specification of a lock, packed, and the file
// where its function is: the exported one that mentions the lock's name, itself or in a
// variable that it mentions.
func (t *Tree) spec(lock string, released bool) (call, file string, err error) {
	all, err := t.folder(t.family(lock))
	if err != nil {
		return "", "", err
	}
	arguments := map[string]string{"Layout": "shm.Packed", "Stores": "shm.Sequential"}
	if released {
		arguments["Stores"] = "shm.Released"
	}
	variable := variableWith(all, strconv.Quote(lock))
	for _, s := range all {
		for _, d := range s.ast.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv != nil || !f.Name.IsExported() || !makesSpec(f) || !mentions(f, strconv.Quote(lock), variable) {
				continue
			}
			var args []string
			for _, p := range f.Type.Params.List {
				sel, ok := p.Type.(*ast.SelectorExpr)
				if !ok || arguments[sel.Sel.Name] == "" {
					return "", "", fmt.Errorf("%s: %s takes other parameters than shm.Layout and shm.Stores: expected a field \"spec\"", s.name, f.Name.Name)
				}
				for range p.Names {
					args = append(args, arguments[sel.Sel.Name])
				}
			}
			return fmt.Sprintf("%s(%s)", f.Name.Name, strings.Join(args, ", ")), s.name, nil
		}
	}
	return "", "", fmt.Errorf("no exported function of package %s mentions %q and returns a shm.Algorithm: expected a field \"spec\"", path.Dir(lock), lock)
}

// variableWith returns the name of a variable whose value mentions a string, or "".
func variableWith(files []*source, text string) (name string) {
	for _, s := range files {
		for _, d := range s.ast.Decls {
			ast.Inspect(d, func(n ast.Node) bool {
				if spec, ok := n.(*ast.ValueSpec); ok && mentions(spec, text, "") {
					name = spec.Names[0].Name
				}
				_, function := n.(*ast.FuncDecl)
				return !function
			})
		}
	}
	return name
}

// mentions reports whether a literal, as it is written, or an identifier is part of a node.
func mentions(n ast.Node, literal, id string) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			found = found || n.Value == literal
		case *ast.Ident:
			found = found || n.Name == id
		}
		return !found
	})
	return found
}

// makesSpec reports whether a function returns a shm.Algorithm alone.
func makesSpec(f *ast.FuncDecl) bool {
	if f.Type.Results == nil || len(f.Type.Results.List) != 1 {
		return false
	}
	sel, ok := f.Type.Results.List[0].Type.(*ast.SelectorExpr)
	return ok && sel.Sel.Name == "Algorithm"
}

// needed returns the files of a folder that some of them, and identifiers, cannot do
// without: those that declare what they mention, and the methods of what is declared there.
func (t *Tree) needed(dir string, files []*source, ids []string) ([]*source, error) {
	all, err := t.folder(dir)
	if err != nil {
		return nil, err
	}
	declares := map[string][]*source{}
	for _, s := range all {
		for _, d := range s.ast.Decls {
			for _, name := range declared(d) {
				name, _, _ = strings.Cut(name, ".") // a method goes with its type
				declares[name] = append(declares[name], s)
			}
		}
	}
	need := func(id string) {
		for _, s := range declares[id] {
			if !slices.ContainsFunc(files, func(f *source) bool { return f.name == s.name }) {
				files = append(files, s)
			}
		}
	}
	for _, id := range ids {
		need(id)
	}
	for i := 0; i < len(files); i++ {
		ast.Inspect(files[i].ast, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				need(id.Name)
			}
			return true
		})
	}
	return files, nil
}
