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

// Code returns the functions in which the processes of a lock make their accesses.
// It returns each as the place where it begins, "tas/tas.go:76", and their texts
// by place. It leaves out functions whose source it can no longer read.
func (l *Lock) Code(learned *model.Lock) (places []string, texts map[string]string) {
	of := learned.Learner
	at := map[token.Pos]bool{}
	for _, p := range of.Procs {
		for _, st := range p.States {
			if st.Access != nil {
				pos, _ := of.M.Place(st)
				at[pos] = true
			}
		}
	}
	texts = map[string]string{}
	files := map[string][]string{}
	for _, pkg := range l.Prog.Sources {
		for _, f := range pkg.Files {
			for _, d := range f.Decls {
				fn, ok := d.(*ast.FuncDecl)
				if !ok || !anyWithin(at, fn) {
					continue
				}
				from, to := l.Prog.Fset.Position(fn.Pos()), l.Prog.Fset.Position(fn.End())
				if files[from.Filename] == nil {
					text, err := l.Prog.Text(from.Filename)
					if err != nil {
						continue
					}
					files[from.Filename] = strings.Split(string(text), "\n")
				}
				lines := files[from.Filename]
				if to.Line > len(lines) {
					continue
				}
				name, line := l.Prog.Place(fn.Pos())
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
