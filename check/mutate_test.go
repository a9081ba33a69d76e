package check_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"shmbench/check"
	"shmbench/internal/testkit/sample"
)

var (
	mutated     = flag.Int("mutated", 0, "how many mutated locks TestMutated checks, 0 for a few")
	mutatedHeld = flag.Int("mutatedheld", 1, "how many of them it holds against the compiled code")
	mutatedSeed = flag.Uint64("mutatedseed", 1, "the seed that TestMutated draws by")
)

// TestMutated checks locks of the catalog with their source changed:
// statements dropped, doubled and exchanged, operators, numbers and types
// replaced. Whatever comes of it, there is an answer: a verdict, or one line;
// and the compiled code does the same.
func TestMutated(t *testing.T) {
	sample.NeedsAll(t)
	t.Parallel()
	rnd := rand.New(rand.NewPCG(*mutatedSeed, 1))
	tally, held := map[string]int{}, 0
	count := *mutated
	if count == 0 {
		count = 8
	}
	for left := count; left > 0; {
		batch := newBatch(t, rnd, min(left, 100))
		if len(batch.locks) == 0 {
			continue
		}
		src, err := check.Open(t.Context(), batch.dir, "./all")
		require.NoError(t, err)
		for _, l := range batch.locks[:min(left, len(batch.locks))] {
			left--
			o := check.Options{N: []int{2}, Workers: 1, MaxStates: 50_000}
			if held < *mutatedHeld {
				o.Replays = 500
			}
			reports, err := src.Lock(check.InTime(t), l.constructor, o)
			if err != nil {
				assert.NotErrorIs(t, err, context.DeadlineExceeded, "no answer: %s", l.change)
				assert.NotContains(t, err.Error(), "internal error", l.change)
				assert.NotContains(t, err.Error(), "\n", l.change)
				tally["not built"]++
				continue
			}
			tally[kindOf(reports[0])]++
			if r := reports[0].Replay; r != nil {
				held++
				tally["accesses compared"] += r.Accesses
			}
			assert.NotContains(t, reports[0].Refused, "\n", l.change)
		}
	}
	t.Log(tally)
	require.Equal(t, *mutatedHeld, held)
}

func kindOf(r *check.Report) string {
	switch {
	case r.Refused != "":
		return "refused"
	case !r.Exhausted:
		return "not fully explored"
	case r.MutualExclusion == check.Violated:
		return "exclusion violated"
	case r.DeadlockFreedom == check.Violated:
		return "deadlock"
	}
	return "holds"
}

// batch is a module of changed packages, and a package that builds their locks.
type batch struct {
	dir   string
	locks []mutatedLock
}

type mutatedLock struct{ constructor, change string }

var families = []string{"bakery", "cas", "dekker", "peterson", "queue", "tas", "tournament"}

func newBatch(t *testing.T, rnd *rand.Rand, count int) *batch {
	b := &batch{dir: t.TempDir()}
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(b.dir, "go.mod"), []byte("module mutated\n\ngo 1.26\n"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(b.dir, "go.work"), fmt.Appendf(nil, "go 1.26.0\n\nuse (\n\t.\n\t%q\n)\n", root), 0o644))
	var changed []change
	for i := range count {
		c := draw(t, rnd, root)
		c.write(t, filepath.Join(b.dir, fmt.Sprintf("v%d", i)))
		changed = append(changed, c)
	}
	cmd := exec.CommandContext(t.Context(), "go", "build", "./...")
	cmd.Dir = b.dir
	broken := map[string]bool{}
	if out, err := cmd.CombinedOutput(); err != nil {
		for _, m := range regexp.MustCompile(`(?m)^# mutated/(v\d+)`).FindAllSubmatch(out, -1) {
			broken[string(m[1])] = true
		}
		require.NotEmpty(t, broken, "%s", out)
	}
	var imports, body bytes.Buffer
	for i, c := range changed {
		v := fmt.Sprintf("v%d", i)
		if broken[v] {
			continue
		}
		fmt.Fprintf(&imports, "\t%s \"mutated/%s\"\n", v, v)
		for k, spec := range c.specs {
			name := fmt.Sprintf("New%d_%d", i, k)
			fmt.Fprintf(&body, "\nfunc %s(n int) (shm.Mutex, error) { return %s.%s.New(n) }\n", name, v, spec)
			b.locks = append(b.locks, mutatedLock{name, c.String()})
		}
	}
	require.NoError(t, os.Mkdir(filepath.Join(b.dir, "all"), 0o755))
	text := "package all\n\nimport (\n\t\"shmbench/shm\"\n" + imports.String() + ")\n" + body.String()
	require.NoError(t, os.WriteFile(filepath.Join(b.dir, "all", "all.go"), []byte(text), 0o644))
	return b
}

// change is one change in one file of a family.
type change struct {
	dir, file    string
	begin, end   int
	old, replace string
	specs        []string // expressions of the algorithm specifications in that file
}

func (c change) String() string { return fmt.Sprintf("%s: %q for %q", c.file, c.replace, c.old) }

// write writes the family's package with the change.
func (c change) write(t *testing.T, to string) {
	require.NoError(t, os.Mkdir(to, 0o755))
	files, err := filepath.Glob(filepath.Join(c.dir, "*"))
	require.NoError(t, err)
	for _, f := range files {
		if ext := filepath.Ext(f); ext != ".go" && ext != ".s" || strings.HasSuffix(f, "_test.go") {
			continue
		}
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		if f == c.file {
			text = append(append(append([]byte{}, text[:c.begin]...), c.replace...), text[c.end:]...)
		}
		require.NoError(t, os.WriteFile(filepath.Join(to, filepath.Base(f)), text, 0o644))
	}
}

var otherOperators = map[token.Token][]string{
	token.EQL: {"!="}, token.NEQ: {"=="}, token.LSS: {"<=", ">"}, token.GTR: {">=", "<"}, token.LEQ: {"<"}, token.GEQ: {">"},
	token.ADD: {"-", "*", "%", "<<"}, token.SUB: {"+", "/", ">>"}, token.LAND: {"||"}, token.LOR: {"&&"}, token.REM: {"/"},
}

var otherTypes = []string{"int", "int8", "uint8", "int32", "uint32", "int64", "uint64"}

// draw draws a change of a file that has an algorithm in it.
func draw(t *testing.T, rnd *rand.Rand, root string) change {
	for {
		c := change{dir: filepath.Join(root, families[rnd.IntN(len(families))])}
		files, err := filepath.Glob(filepath.Join(c.dir, "*.go"))
		require.NoError(t, err)
		c.file = files[rnd.IntN(len(files))]
		if strings.HasSuffix(c.file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(c.file)
		require.NoError(t, err)
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, c.file, text, parser.SkipObjectResolution)
		require.NoError(t, err)
		if c.specs = specsIn(f); len(c.specs) == 0 {
			continue
		}
		changes := changesOf(f, func(n ast.Node) string {
			return string(text[fset.Position(n.Pos()).Offset:fset.Position(n.End()).Offset])
		})
		if len(changes) == 0 {
			continue
		}
		n := changes[rnd.IntN(len(changes))]
		with := n.with[rnd.IntN(len(n.with))]
		c.begin, c.end, c.replace = fset.Position(n.pos).Offset, fset.Position(n.end).Offset, with
		c.old = string(text[c.begin:c.end])
		return c
	}
}

// specsIn returns expressions for the algorithms that a file declares, with
// sequential and with released stores.
func specsIn(f *ast.File) (specs []string) {
	isSpec := func(e ast.Expr) bool {
		s, ok := e.(*ast.SelectorExpr)
		return ok && s.Sel.Name == "Algorithm"
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil && d.Type.Results != nil && len(d.Type.Results.List) == 1 && isSpec(d.Type.Results.List[0].Type) && d.Name.IsExported() {
				switch params := types.ExprString(d.Type); {
				case strings.Contains(params, "layout shm.Layout, stores shm.Stores"):
					specs = append(specs, d.Name.Name+"(shm.Packed, shm.Sequential)", d.Name.Name+"(shm.Packed, shm.Released)")
				case strings.Contains(params, "stores shm.Stores"):
					specs = append(specs, d.Name.Name+"(shm.Sequential)", d.Name.Name+"(shm.Released)")
				case strings.Contains(params, "(layout shm.Layout)"):
					specs = append(specs, d.Name.Name+"(shm.Packed)")
				default:
					panic(fmt.Sprintf("how is %s %s called?", d.Name.Name, params))
				}
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if v, ok := s.(*ast.ValueSpec); ok && len(v.Values) == 1 && v.Names[0].IsExported() {
					if lit, ok := v.Values[0].(*ast.CompositeLit); ok && isSpec(lit.Type) {
						specs = append(specs, v.Names[0].Name)
					}
				}
			}
		}
	}
	return specs
}

// place is a place in a file, and what it can be replaced with.
type place struct {
	pos, end token.Pos
	with     []string
}

// predicate reports whether a function is a part of an invariant.
func predicate(f *ast.FuncType) bool {
	return slices.ContainsFunc(f.Params.List, func(p *ast.Field) bool {
		s, ok := p.Type.(*ast.SelectorExpr)
		return ok && s.Sel.Name == "View"
	})
}

// changesOf returns the changes that a file's functions and types can be given.
func changesOf(f *ast.File, text func(ast.Node) string) (all []place) {
	add := func(n ast.Node, with ...string) { all = append(all, place{n.Pos(), n.End(), with}) }
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			if predicate(n.Type) {
				return false
			}
		case *ast.FuncDecl:
			if predicate(n.Type) {
				return false
			}
		case *ast.CompositeLit:
			if s, ok := n.Type.(*ast.SelectorExpr); ok && s.Sel.Name == "Algorithm" {
				return false
			}
		case *ast.BlockStmt:
			for i, s := range n.List {
				if _, declares := s.(*ast.DeclStmt); declares {
					continue
				}
				add(s, "", text(s)+"\n"+text(s), "{ "+text(s)+" }")
				if i > 0 {
					before := n.List[i-1]
					all = append(all, place{before.Pos(), s.End(), []string{text(s) + "\n" + text(before)}})
				}
			}
		case *ast.BinaryExpr:
			if with := otherOperators[n.Op]; with != nil {
				all = append(all, place{n.OpPos, n.OpPos + token.Pos(len(n.Op.String())), with})
			}
		case *ast.BasicLit:
			if k, err := strconv.Atoi(n.Value); err == nil {
				add(n, strconv.Itoa(k+1), strconv.Itoa(k^1), "-1", "7", "64")
			}
		case *ast.Ident:
			if strings.Contains(strings.Join(otherTypes, " ")+" ", n.Name+" ") && len(n.Name) > 2 {
				add(n, otherTypes...)
			}
			for from, to := range map[string]string{"Uint32": "Int32", "Int32": "Uint64", "Load": "Add", "me": "other", "i": "0", "n": "n+1", "true": "false", "false": "true"} {
				if n.Name == from {
					add(n, to)
				}
			}
		case *ast.ForStmt:
			if n.Cond != nil {
				add(n.Cond, "true", "!("+text(n.Cond)+")")
			}
		case *ast.IfStmt:
			add(n.Cond, "true", "false", "!("+text(n.Cond)+")")
		}
		return true
	})
	return all
}
