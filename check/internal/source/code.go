package source

import (
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strings"

	"shmbench/check/internal/model"
)

// Code returns the functions in which the processes of a lock make their accesses,
// each as the place where it begins, "tas/tas.go:76", and their texts by place. What
// cannot be read any more is left out.
func (s *Lock) Code(lock *model.Lock) (places []string, texts map[string]string) {
	l := lock.Learner
	at := map[token.Pos]bool{}
	for _, p := range l.Procs {
		for _, st := range p.States {
			if st.Access != nil {
				pos, _ := l.M.Place(st)
				at[pos] = true
			}
		}
	}
	texts = map[string]string{}
	files := map[string][]string{}
	for _, source := range s.Prog.Sources {
		for _, f := range source.Files {
			for _, d := range f.Decls {
				fn, ok := d.(*ast.FuncDecl)
				if !ok || !anyWithin(at, fn) {
					continue
				}
				from, to := s.Prog.Fset.Position(fn.Pos()), s.Prog.Fset.Position(fn.End())
				if files[from.Filename] == nil {
					text, err := s.Prog.Text(from.Filename)
					if err != nil {
						continue
					}
					files[from.Filename] = strings.Split(string(text), "\n")
				}
				lines := files[from.Filename]
				if to.Line > len(lines) {
					continue
				}
				name, line := s.Prog.Place(fn.Pos())
				place := fmt.Sprintf("%s:%d", name, line)
				texts[place] = strings.Join(lines[line-1:to.Line], "\n")
			}
		}
	}
	return slices.Sorted(maps.Keys(texts)), texts
}

func anyWithin(at map[token.Pos]bool, fn *ast.FuncDecl) bool {
	for pos := range at {
		if fn.Pos() <= pos && pos < fn.End() {
			return true
		}
	}
	return false
}
