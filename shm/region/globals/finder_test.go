package globals

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/packages"

	"shmbench/shm/region"
)

// source has locks whose passages use variables of each kind.
const source = `package p

type failure struct{}

func (failure) Error() string { return "" }

type pair struct{ a, b int }

var (
	assigned, counted, taken, unused int
	indexed    [2]int
	field      struct{ inner pair }
	behind     *int
	key, value int
	ranged     int
	called     int
	generic    int
	repeated   int
	function   func()
	channel    chan int
	list       = []*int{}

	constant             = 7
	text                 = "text"
	numbers              = []int{1}
	table                = [2]pair{}
	problem        error = failure{}
	outsideChanged int
)

type lock struct{ assigned int }

func (l *lock) Lock(i int) {
	l.assigned = i // the field, not the variable
	assigned = i
	counted++
	p := &taken
	*p = i
	(indexed)[0] = i
	field.inner.a = i
	*behind = i
	for key, value = range numbers {
	}
	for range ranged {
	}
	if problem == nil || constant == 0 || text == "" || numbers[0]+table[0].a+outsideRead() == 0 {
		return
	}
	unused := 1
	_ = unused
	again(i)
}

func (l *lock) Unlock(int) {
	function()
	<-channel
	_ = list
	call()
	give[int]()
	give[string]()
}

func call()        { called = 1 }
func give[T any]() { generic = 1 }

func again(i int) {
	if i > 0 {
		again(i - 1)
	}
	repeated++
	ranged = 1
}

func outsideRead() int { return 1 }

func (l *lock) Other() { outsideChanged = 1 }

func Lock() { outsideChanged = 1 }
`

// TestFinder: a passage may not use a variable that a function changes, or whose value others
// can change. A value that never changes is harmless, and so is a variable that no passage uses.
func TestFinder(t *testing.T) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", source, 0)
	require.NoError(t, err)
	p := &packages.Package{PkgPath: "p", Fset: fset, Syntax: []*ast.File{file}, TypesInfo: &types.Info{
		Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
	}}
	p.Types, err = new(types.Config).Check("p", fset, p.Syntax, p.TypesInfo)
	require.NoError(t, err)
	f := &finder{bodies: map[*types.Func]function{}, changed: map[*types.Var]bool{}, visited: map[*types.Func]bool{}, found: map[*types.Var]*region.Refusal{}}
	f.read(p)
	f.passages(p)
	var names []string
	for _, r := range f.found {
		names = append(names, r.Path)
	}
	require.ElementsMatch(t, []string{
		"p.assigned", "p.counted", "p.taken", "p.indexed", "p.field", "p.behind", "p.key", "p.value", "p.ranged", "p.called", "p.generic", "p.repeated",
		"p.function", "p.channel", "p.list",
	}, names, "%v", slices.Collect(maps.Values(f.found)))
}
