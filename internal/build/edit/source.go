package edit

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strings"
)

// source is a source file of a lock.
type source struct {
	name string // as errors call it
	text string
	fset *token.FileSet
	ast  *ast.File
}

func parse(name, text string) (*source, error) {
	s := &source{name: name, text: text, fset: token.NewFileSet()}
	var err error
	s.ast, err = parser.ParseFile(s.fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
	return s, err
}

var labelRE = regexp.MustCompile(`^//\s*([A-Za-z]?[0-9]+[a-z]?(?:, ?[A-Za-z]?[0-9]+[a-z]?)*)\s*$`)

// Labeled is a line of code with a label of the pseudo-code. In is the function or
// method, "NewMCS" or "MCSMutex.Lock".
type Labelled struct {
	Label, In string
	Line      int
}

// labels returns the lines that have a label, in their order.
func (s *source) labels() []Labelled {
	var all []Labelled
	for _, group := range s.ast.Comments {
		for _, c := range group.List {
			line := s.lineOf(c.Pos())
			m := labelRE.FindStringSubmatch(c.Text)
			if m == nil || strings.TrimSpace(s.lines()[line-1]) == c.Text {
				continue
			}
			in := ""
			for _, d := range s.ast.Decls {
				if d.Pos() <= c.Pos() && s.lineOf(d.End()) >= line {
					in = strings.Join(declared(d), " ")
				}
			}
			for label := range strings.SplitSeq(m[1], ",") {
				all = append(all, Labelled{strings.TrimSpace(label), in, line})
			}
		}
	}
	return all
}

func (s *source) lines() []string                 { return strings.Split(s.text, "\n") }
func (s *source) lineOf(pos token.Pos) int        { return s.fset.Position(pos).Line }
func (s *source) offset(pos token.Pos) int        { return s.fset.Position(pos).Offset }
func (s *source) lineStart(n int) int             { return s.offset(s.fset.File(s.ast.Pos()).LineStart(n)) }
func (s *source) lineText(begin int) string       { l, _, _ := strings.Cut(s.text[begin:], "\n"); return l }
func (s *source) errorf(f string, a ...any) error { return fmt.Errorf(s.name+": "+f, a...) }

// find returns the lines that a place names.
func (s *source) find(p place) ([]int, error) {
	var at []int
	var known []string
	for _, l := range s.labels() {
		if p.in != "" && !named(l.In, p.in) {
			continue
		}
		if l.Label == p.label {
			at = append(at, l.Line)
		}
		if !slices.Contains(known, l.Label) {
			known = append(known, l.Label)
		}
	}
	where := p.label
	if p.in != "" {
		where += " in " + p.in
	}
	switch {
	case len(at) == 0 && known != nil:
		return nil, s.errorf("no line has the label %s; the labels are %s", where, strings.Join(known, ", "))
	case len(at) == 0:
		return nil, s.errorf("no line has the label %s", where)
	case p.every:
		return at, nil
	case p.which > len(at):
		return nil, s.errorf("there is no %s#%d: %s", p.label, p.which, s.numbered(p, at))
	case p.which > 0:
		return at[p.which-1 : p.which], nil
	case len(at) > 1:
		return nil, s.errorf("%d lines have the label %s: expected one of them, or every %s: %s", len(at), where, where, s.numbered(p, at))
	}
	return at, nil
}

// numbered lists the lines of a label with the places that name one line each.
func (s *source) numbered(p place, at []int) string {
	var lines []string
	for i, line := range at {
		p.which = i + 1
		code, _, _ := strings.Cut(s.lineText(s.lineStart(line)), "//")
		lines = append(lines, fmt.Sprintf("%s is %s", p, strings.TrimSpace(code)))
	}
	return strings.Join(lines, "; ")
}

// named reports whether a declaration "Type.Method" is meant by a name that may leave out
// the type.
func named(decl, name string) bool {
	return slices.ContainsFunc(strings.Fields(decl), func(d string) bool { return d == name || strings.HasSuffix(d, "."+name) })
}

// declared returns the names that a declaration declares.
func declared(d ast.Decl) (names []string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			return []string{d.Name.Name}
		}
		return []string{receiver(d) + "." + d.Name.Name}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				names = append(names, spec.Name.Name)
			case *ast.ValueSpec:
				for _, id := range spec.Names {
					names = append(names, id.Name)
				}
			}
		}
	}
	return names
}

// receiver returns the name of the type of a method's receiver.
func receiver(d *ast.FuncDecl) string {
	t := d.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

// statement returns where the outermost statement that begins on a line is.
func (s *source) statement(line int) (begin, end int, err error) {
	begin = -1
	ast.Inspect(s.ast, func(n ast.Node) bool {
		if stmt, ok := n.(ast.Stmt); ok && begin < 0 && s.lineOf(stmt.Pos()) == line {
			if _, block := stmt.(*ast.BlockStmt); !block {
				begin, end = s.offset(stmt.Pos()), s.offset(stmt.End())
			}
		}
		return begin < 0
	})
	if begin < 0 {
		return 0, 0, s.errorf("no statement begins on line %d", line)
	}
	return begin, end, nil
}

// once returns where the text old is between two places: exactly once.
func (s *source) once(old string, begin, end int, where string) (int, int, error) {
	fields := strings.Fields(old)
	for i, f := range fields {
		fields[i] = regexp.QuoteMeta(f)
	}
	found := regexp.MustCompile(strings.Join(fields, `\s+`)).FindAllStringIndex(s.text[begin:end], -1)
	switch len(found) {
	case 0:
		return 0, 0, s.errorf("there is no %q %s", old, where)
	case 1:
		return begin + found[0][0], begin + found[0][1], nil
	}
	return 0, 0, s.errorf("%q is %d times %s: expected more of the text around it", old, len(found), where)
}
