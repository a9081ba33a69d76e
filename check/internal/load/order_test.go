package load

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/ssa"
)

// TestUnordered: what a statement reads beside a call and may read after it as
// well, by the call that the SSA form has after the reading.
func TestUnordered(t *testing.T) {
	for body, want := range map[string]string{
		"return l.n + l.f()":                               "l.f: l.n",
		"return l.f() + l.n":                               "",
		"return l.n + l.f() + l.h(1)":                      "l.f: l.n; l.h: l.n",
		"return l.n + l.f() + l.m + l.h(1)":                "l.f: l.n; l.h: l.m, l.n",
		"return l.h(l.n) + l.f()":                          "",
		"return l.m + l.h(l.n)":                            "l.h: l.m",
		"return l.a[l.m] + l.f()":                          "l.f: l.a[l.m], l.m",
		"return *l.p + l.f()":                              "l.f: *l.p, l.p",
		"return g + l.f()":                                 "l.f: g",
		"x := l.n; return x + l.f()":                       "",
		"x := l.n; p := &x; *p = 3; return x + l.f()":      "l.f: x",
		"if l.n > 0 && l.f() > 0 { return 1 }; return 0":   "",
		"if l.n > l.f() { return 1 }; return 0":            "l.f: l.n",
		"l.n = l.f(); return 0":                            "",
		"l.n, l.m = l.m, l.f(); return 0":                  "l.f: l.m",
		"l.n = 3; return l.f()":                            "",
		"return l.n + len(l.s)":                            "",
		"f := func() int { return l.n }; return f() + l.n": "",
		"return l.n + func() int { return l.m }()":         "func: l, l.n",
	} {
		text := "package p\n\nvar g int\n\ntype lock struct{ n, m int; a [2]int; p *int; s []int }\n\n" +
			"func (l *lock) f() int { return 1 }\n\nfunc (l *lock) h(int) int { return 1 }\n\nfunc (l *lock) tested() int {\n" + body + "\n}\n"
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, "p.go", text, parser.SkipObjectResolution)
		require.NoError(t, err, body)
		info := &types.Info{
			Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
			Implicits: map[ast.Node]types.Object{}, Scopes: map[ast.Node]*types.Scope{}, FileVersions: map[*ast.File]string{},
			Selections: map[*ast.SelectorExpr]*types.Selection{}, Instances: map[*ast.Ident]types.Instance{},
		}
		pkg, err := new(types.Config).Check("p", fset, []*ast.File{f}, info)
		require.NoError(t, err, body)
		prog := ssa.NewProgram(fset, ssa.GlobalDebug)
		built := prog.CreatePackage(pkg, []*ast.File{f}, info, false)
		built.Build()
		method := pkg.Scope().Lookup("lock").Type().(*types.Named).Method(2)
		require.Equal(t, "tested", method.Name())
		var got []string
		for call, reads := range Unordered(prog.FuncValue(method)) {
			name := "func"
			if fn := call.Call.StaticCallee(); fn != nil && fn.Signature.Recv() != nil {
				name = "l." + fn.Name()
			}
			var texts []string
			for _, r := range reads {
				require.True(t, before(r.Load, call), body)
				texts = append(texts, r.Text)
			}
			slices.Sort(texts)
			got = append(got, name+": "+strings.Join(texts, ", "))
		}
		slices.Sort(got)
		require.Equal(t, want, strings.Join(got, "; "), body)
	}
}
