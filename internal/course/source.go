package course

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// file is a source file of a lock.
type file struct {
	name string
	text string
	fset *token.FileSet
	ast  *ast.File
}

func parseFile(name string) (*file, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	f := &file{name: name, text: string(text), fset: token.NewFileSet()}
	f.ast, err = parser.ParseFile(f.fset, name, text, parser.ParseComments)
	return f, err
}

var labelled = regexp.MustCompile(`^// (\d+[a-z]?)$`)

// labels returns the lines of the file that carry a label of the pseudo-code, by
// label.
func (f *file) labels() map[string][]int {
	at := map[string][]int{}
	other := map[int]bool{} // lines of calls that the course is not about
	for _, d := range f.ast.Decls {
		if d, ok := d.(*ast.FuncDecl); ok && (d.Name.Name == "TryLock" || d.Name.Name == "LockUntil") {
			for n := f.fset.Position(d.Pos()).Line; n <= f.fset.Position(d.End()).Line; n++ {
				other[n] = true
			}
		}
	}
	for _, group := range f.ast.Comments {
		for _, c := range group.List {
			line := f.fset.Position(c.Pos())
			if m := labelled.FindStringSubmatch(c.Text); m != nil && !other[line.Line] && strings.TrimSpace(f.line(line.Line)) != c.Text {
				at[m[1]] = append(at[m[1]], line.Line)
			}
		}
	}
	return at
}

func (f *file) line(n int) string { return strings.Split(f.text, "\n")[n-1] }

// change returns the text of the file with a change made, and what it replaces.
func (f *file) change(c Change) (changed, old string, err error) {
	lines := f.labels()[c.Label]
	if c.Which < 1 || c.Which > len(lines) {
		return "", "", fmt.Errorf("%s has %d lines %s, and no number %d", f.name, len(lines), c.Label, c.Which)
	}
	line := lines[c.Which-1]
	begin, end := -1, -1
	if c.Old == "" {
		ast.Inspect(f.ast, func(n ast.Node) bool {
			if s, ok := n.(ast.Stmt); ok && begin < 0 && f.fset.Position(s.Pos()).Line == line {
				begin, end = f.fset.Position(s.Pos()).Offset, f.fset.Position(s.End()).Offset
			}
			return begin < 0
		})
		if begin < 0 {
			return "", "", fmt.Errorf("%s:%d: no statement", f.name, line)
		}
	} else {
		// The old text is on the line, or in the statement that begins there.
		from := strings.Index(f.text, f.line(line))
		at := strings.Index(f.text[from:], c.Old)
		if at < 0 || strings.Count(f.text[from:from+at], "\n") > 2 {
			return "", "", fmt.Errorf("%s:%d: there is no %q", f.name, line, c.Old)
		}
		begin, end = from+at, from+at+len(c.Old)
	}
	return f.text[:begin] + c.New + f.text[end:], f.text[begin:end], nil
}

// needed are the files of a package that one of its files cannot do without.
func needed(dir, file string) ([]string, error) {
	all, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	declared, uses := map[string]string{}, map[string][]string{}
	for _, name := range all {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parseFile(name)
		if err != nil {
			return nil, err
		}
		for _, d := range f.ast.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					declared[d.Name.Name] = name
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.TypeSpec:
						declared[s.Name.Name] = name
					case *ast.ValueSpec:
						for _, id := range s.Names {
							declared[id.Name] = name
						}
					}
				}
			}
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				uses[name] = append(uses[name], id.Name)
			}
			return true
		})
	}
	files := []string{file}
	for i := 0; i < len(files); i++ {
		for _, id := range uses[files[i]] {
			if from := declared[id]; from != "" && !slices.Contains(files, from) {
				files = append(files, from)
			}
		}
	}
	return files, nil
}
