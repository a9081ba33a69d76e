package load

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A label is a pseudo-code line's number as a trailing comment: "// 3",
// "// T1, T2".
var labelRE = regexp.MustCompile(`^//\s*([A-Za-z]?[0-9]+[a-z]?(?:, ?[A-Za-z]?[0-9]+[a-z]?)*)\s*$`)

// labels returns the label of each line of a file that has one.
func labels(fset *token.FileSet, f *ast.File) map[int]string {
	found := map[int]string{}
	for _, group := range f.Comments {
		for _, c := range group.List {
			if m := labelRE.FindStringSubmatch(c.Text); m != nil {
				found[fset.Position(c.Pos()).Line] = m[1]
			}
		}
	}
	return found
}

// Label returns the pseudo-code label of the line at pos, or "".
func (p *Program) Label(pos token.Pos) string {
	at := p.Fset.Position(pos)
	return p.labels[at.Filename][at.Line]
}

// Labels returns the labels of a file, by its full name.
func (p *Program) Labels(file string) []string {
	return slices.Collect(maps.Values(p.labels[file]))
}

// Place returns pos as "file:line" relative to the module. In a changed copy of a file, it
// is the place in the original.
func (p *Program) Place(pos token.Pos) (file string, line int) {
	at := p.Fset.Position(pos)
	if origin := p.edited[at.Filename].Origin; origin != "" {
		return origin, at.Line
	}
	if rel, err := filepath.Rel(p.ModuleDir, at.Filename); err == nil && !strings.HasPrefix(rel, "..") {
		return filepath.ToSlash(rel), at.Line
	}
	return at.Filename, at.Line
}

// relocated moves an error of the type checker to the file that was edited, because the
// edited copy is not on disk.
func (p *Program) relocated(err error) error {
	var at types.Error
	if !errors.As(err, &at) || p.edited[at.Fset.Position(at.Pos).Filename].Origin == "" {
		return err
	}
	file, line := p.Place(at.Pos)
	return fmt.Errorf("after the edit, %s:%d: %s", file, line, at.Msg)
}

// Foreign reports whether a position is in a file that is not among Sources.
func (p *Program) Foreign(pos token.Pos) bool { return p.foreign[p.Fset.Position(pos).Filename] }
