package stops

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const declarations = `package p

import "unsafe"

var _ unsafe.Pointer

type in struct{ x int; arr [2]int }

func (i in) sum() int  { return i.x }
func (i *in) bump() int { return 1 }
func (i *in) array() *[2]int { return &i.arr }

type mid struct{ *in }

type sums interface{ total() int }

type holder struct{ sums }

type node struct {
	mid
	v    in
	next *node
	s    []int
	m    map[string]int
	n    uint8
	any  interface{ sum() int }
	h    holder
	b    []byte
	text string
}

var global int

func two() (int, *node) { return 0, nil }
`

// rewrittenFile returns what becomes of a file. The variables of a loop are one for all its turns if perLoop is true.
func rewrittenFile(t *testing.T, text string, perLoop bool) (string, error) {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", text, parser.SkipObjectResolution)
	require.NoError(t, err)
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{},
		Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
	conf := types.Config{Importer: importer.Default()}
	pkg, err := conf.Check("p", fset, []*ast.File{file}, info)
	require.NoError(t, err)
	out, err := Rewrite(Package{Fset: fset, Types: pkg, Info: info, PerLoop: perLoop}, file, []byte(text), "h")
	return strings.ReplaceAll(string(out), harness+".", "h."), err
}

// rewritten returns what becomes of the statements of a function with the
// parameters l *node, own node and i int.
func rewritten(t *testing.T, body string) (string, error) {
	t.Helper()
	got, err := rewrittenFile(t, declarations+"\nfunc f(l *node, own node, i int) {\n"+body+"\n}\n", false)
	if err != nil {
		return "", err
	}
	got = got[strings.Index(got, "i int) {\n")+len("i int) {\n"):]
	return got[:strings.LastIndex(got, "\n}\n")], nil
}

// TestRewrite has statements and what becomes of them: what may be shared is
// read and written by calls, all else stays as it is.
func TestRewrite(t *testing.T) {
	for from, want := range map[string]string{
		"i = own.v.x + own.v.arr[i]":                "i = own.v.x + own.v.arr[i]",
		"i = l.v.x":                                 "i = (*h.Read(&l.v.x))",
		"i = l.next.next.v.arr[i]":                  "i = (*h.Read(&(*h.Read(&(*h.Read(&l.next)).next)).v.arr[i]))",
		"i = l.s[l.v.x]":                            "i = (*h.Read(&(*h.Read(&l.s))[(*h.Read(&l.v.x))]))",
		"i = own.s[0]":                              "i = (*h.Read(&own.s[0]))",
		"i = global":                                "i = (*h.Read(&global))",
		"p := &l.v.x; i = *p":                       "p := &l.v.x; i = (*h.Read(p))",
		"i = l.x":                                   "i = (*h.Read(&(*h.Read(&l.mid.in)).x))",
		"i = own.x":                                 "i = (*h.Read(&own.x))",
		"i = l.sum()":                               "i = (*h.Read((*h.Read(&l.mid.in)))).sum()",
		"i = l.bump()":                              "i = (*h.Read(&l.mid.in)).bump()",
		"i = l.v.sum() + l.v.bump()":                "i = (*h.Read(&l.v)).sum() + l.v.bump()",
		"i = l.any.sum()":                           "i = (*h.Read(&l.any)).sum()",
		"i = len(l.v.arr) + len(l.s)":               "i = len(l.v.arr) + len((*h.Read(&l.s)))",
		"i = len(*l.array())":                       "i = len(*(*h.Read(&l.mid.in)).array())",
		"i = [2]int(l.s[1:])[0]":                    "i = (*h.Read((*[2]int)((*h.Read(&l.s))[1:])))[0]",
		"i = l.h.total()":                           "i = (*h.Read(&l.h.sums)).total()",
		"i = (l.next.v).x":                          "i = (*h.Read(&((*h.Read(&l.next)).v).x))",
		"l.b = append(l.b, l.text...)":              "h.At(&l.b).Set(h.Slice((*h.Read(&l.b))).Append(h.Bytes((*h.Read(&l.text)))...))",
		"p := unsafe.Pointer(l.next); _ = p":        "p := unsafe.Pointer(h.Mark((*h.Read(&l.next)))); _ = p",
		"l.v.x = i":                                 "h.At(&l.v.x).Set(i)",
		"*(&l.v.x) = i":                             "h.At((&l.v.x)).Set(i)",
		"l.next.v = in{x: l.v.x}":                   "h.At(&(*h.Read(&l.next)).v).Set(in{x: (*h.Read(&l.v.x))})",
		"l.n <<= l.n":                               "func() { shmbench_1 := &l.n; shmbench_2 := ((*h.Read(&l.n))); h.At(shmbench_1).Set(*h.Read(shmbench_1) << shmbench_2) }()",
		"l.n += 1":                                  "func() { shmbench_1 := &l.n; shmbench_2 := h.At(shmbench_1).As(1); h.At(shmbench_1).Set(*h.Read(shmbench_1) + shmbench_2) }()",
		"l.n--":                                     "func() { shmbench_1 := &l.n; h.At(shmbench_1).Set(*h.Read(shmbench_1) - 1) }()",
		"i++; own.n++":                              "i++; own.n++",
		"_, l.next = two()":                         "func() { ; shmbench_1 := &l.next; _, shmbench_2 := two(); h.At(shmbench_1).Set(shmbench_2) }()",
		"l.m[\"a\"] = i":                            "(*h.Read(&l.m))[\"a\"] = i",
		"l.s = append(l.s, i, 2)":                   "h.At(&l.s).Set(h.Slice((*h.Read(&l.s))).Append(i, 2))",
		"p := &i; i = 2; _ = p":                     "p := &i; h.At(&i).Set(2); _ = p",
		"p := &own.v.arr[0]; own.v.x = *p":          "p := &own.v.arr[0]; h.At(&own.v.x).Set((*h.Read(p)))",
		"g := l.sum; i = g()":                       "g := h.Bound((*h.Read((*h.Read(&l.mid.in))))).sum; i = g()",
		"g := own.v.sum; i = g()":                   "g := h.Bound(own.v).sum; i = g()",
		"g := own.v.bump; i = g()":                  "g := h.Bound(&own.v).bump; i = g()",
		"g := l.h.total; i = g()":                   "g := h.Bound((*h.Read(&l.h.sums))).total; i = g()",
		"for j, x := range l.array() { i = j + x }": "for j, x := range h.Elements(((*h.Read(&l.mid.in)).array())[:]) { x := *h.Read(x); i = j + x }",
		"x := l.s[:1:l.v.x]; _ = x":                 "x := (*h.Read(&l.s))[:1:(*h.Read(&l.v.x))]; _ = x",
		"g := func() func() int { j := 1; return func() int { return j } }; _ = g": "g := func() func() int { j := 1; return h.Capture(func() int { return (*h.Read(&j)) }, &j) }; _ = g",
		"p := (&own).next; own.v.x = 1; _ = p":                                     "p := (*h.Read(&(&own).next)); h.At(&own.v.x).Set(1); _ = p",
		"var j, x int; for j, x = range l.s { i = j + x }":                         "var j, x int; for shmbench_2, shmbench_1 := range h.Elements((*h.Read(&l.s))) { j = shmbench_2; x = *h.Read(shmbench_1); i = j + x }",
		"var j, x int; for _, x = range l.s { i = j + x }":                         "var j, x int; for _, shmbench_1 := range h.Elements((*h.Read(&l.s))) { x = *h.Read(shmbench_1); i = j + x }",
		"var j int; for j = range l.s { i = j }":                                   "var j int; for j = range (*h.Read(&l.s)) { i = j }",
		"x := l.next.v.arr[:]; _ = x":                                              "x := (*h.Read(&l.next)).v.arr[:]; _ = x",
		"for j := range l.array() { i = j }":                                       "for j := range (*h.Read(&l.mid.in)).array() { i = j }",
		"copy(l.s[1:], l.v.arr[:])":                                                "h.Copy((*h.Read(&l.s))[1:], l.v.arr[:])",
		"clear(l.s)":                                                               "h.Clear((*h.Read(&l.s)))",
		"for j, x := range l.s { i = j + x }":                                      "for j, x := range h.Elements((*h.Read(&l.s))) { x := *h.Read(x); i = j + x }",
		"for j := range l.v.arr { i = j }":                                         "for j := range l.v.arr { i = j }",
		"g := func() int { i++; return i }; i = g()":                               "g := h.Capture(func() int { func() { shmbench_1 := &i; h.At(shmbench_1).Set(*h.Read(shmbench_1) + 1) }(); return (*h.Read(&i)) }, &i); i = g()",
	} {
		got, err := rewritten(t, from)
		require.NoError(t, err, from)
		require.Equal(t, want, got, from)
	}
	_, err := rewritten(t, "l.m[\"a\"], l.v.x = 1, 2")
	require.ErrorContains(t, err, "p.go:37: assigns to an element of a map")
	_, err = rewritten(t, "for l.v.x = range 3 {}")
	require.ErrorContains(t, err, "p.go:37: a range statement assigns")
	_, err = rewritten(t, "for _, global = range l.s {}")
	require.ErrorContains(t, err, "p.go:37: a range statement assigns to what may be shared memory")
}

// TestRewriteFile: a file with plain accesses imports the harness, and makes its package-level variables known. One without
// either stays as it is.
func TestRewriteFile(t *testing.T) {
	for from, want := range map[string]string{
		"package p\n\nfunc f(i int) int { return i + 1 }\n": "package p\n\nfunc f(i int) int { return i + 1 }\n",
		"package p\n\nvar a, _, b = 1, 2, 3\n":              "package p; import h \"h\"\n\nvar a, _, b = 1, 2, 3\n\nfunc init() { h.Globals(&a, &b) }\n",
		"package p\n\nconst c = 1\n\nvar _ = c\n":           "package p\n\nconst c = 1\n\nvar _ = c\n",
		"package p\n\nfunc f(p *int) { *p = 1 }\n":          "package p; import h \"h\"\n\nfunc f(p *int) { h.At(p).Set(1) }\n",
		"package main\n\nfunc main() {}\n":                  "package main\n\nfunc shmbench_main() {}\n",
		"package main\n\nvar a int\n\nfunc main() {}\n":     "package main; import h \"h\"\n\nvar a int\n\nfunc shmbench_main() {}\n\nfunc init() { h.Globals(&a) }\n",
		"package p\n\nfunc main() {}\n":                     "package p\n\nfunc main() {}\n",
	} {
		got, err := rewrittenFile(t, from, false)
		require.NoError(t, err, from)
		require.Equal(t, want, strings.ReplaceAll(got, harness+" ", "h "), from)
	}
}

// TestRewriteTypeParameters: what is indexed is a slice or an array if all types of the constraint are.
func TestRewriteTypeParameters(t *testing.T) {
	const before = "package p\n\ntype ints interface{ ~[]int }\n\ntype named []int\n"
	for constraint, reads := range map[string]bool{
		"~[]int":                              true,
		"[]int":                               true,
		"*[2]int":                             true,
		"ints":                                true,
		"interface{ ints; any }":              true,
		"interface{ any; ints }":              true,
		"interface{ any; interface{ ints } }": true,
		"ints | []int | named":                true,
		"[2]int":                              false,
		"~[2]int":                             false,
		"string | []byte":                     false, // a byte of a string has no address
	} {
		text := before + "\nfunc f[S " + constraint + "](s S) { _ = s[0] }\n"
		if constraint == "*[2]int" { // or it could be a product
			text = strings.Replace(text, "[S *[2]int]", "[S interface{ *[2]int }]", 1)
		}
		got, err := rewrittenFile(t, text, false)
		require.NoError(t, err, constraint)
		require.Equal(t, reads, strings.Contains(got, "_ = (*h.Read(&s[0]))"), constraint)
		require.Equal(t, !reads, strings.Contains(got, "_ = s[0]"), constraint)
	}
}

// TestRewriteMethodsOfTypeParameters: a method of a type parameter is called on its value, and where all types are pointers,
// on the pointer.
func TestRewriteMethodsOfTypeParameters(t *testing.T) {
	const before = "package p\n\ntype word[T any] interface {\n\t*T\n\tswap() bool\n}\n\ntype sum interface{ total() int }\n"
	for function, want := range map[string]string{
		"func f[T any, P word[T]](w *T) { P(w).swap() }":                "P(w).swap()",
		"func f[T any, P word[T]](w *struct{ x T }) { P(&w.x).swap() }": "P(&w.x).swap()",
		"func f[T any, P word[T]](w *struct{ p P }) { w.p.swap() }":     "(*h.Read(&w.p)).swap()",
		"func f[S sum](w *struct{ s S }) { w.s.total() }":               "(*h.Read(&w.s)).total()",
	} {
		got, err := rewrittenFile(t, before+"\n"+function+"\n", false)
		require.NoError(t, err, function)
		require.Contains(t, got, "{ "+want+" }", function)
	}
}

// TestRewriteLoops: before Go 1.22 a function literal captures one variable of all turns of a loop, which cannot be rewritten.
func TestRewriteLoops(t *testing.T) {
	const captures = "package p\n\nfunc f(s []int) (g func() int) {\n\tfor _, x := range s {\n\t\tg = func() int { return x }\n\t}\n\treturn g\n}\n"
	_, err := rewrittenFile(t, captures, true)
	require.EqualError(t, err, "p.go:4: a function literal captures a loop variable of Go before 1.22")
	_, err = rewrittenFile(t, captures, false)
	require.NoError(t, err)
	_, err = rewrittenFile(t, strings.Replace(captures, "g = func() int { return x }", "g = func() int { return len(s) + s[0] }; _ = x", 1), true)
	require.NoError(t, err, "it captures another variable")
}
