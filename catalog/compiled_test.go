package catalog_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/internal/build/sources"
	"shmbench/internal/testkit/sample"
	"shmbench/shm"
)

// instruction is one of the compiled code. Its place in the source is that of
// the line itself, not of a call that was replaced by its body.
type instruction struct {
	file     string
	line     int
	op, args string
}

// source returns the text of the line that the instruction is of.
func (i instruction) source(t *testing.T) string {
	lines, ok := sourceLines[i.file]
	if !ok {
		text, err := os.ReadFile(i.file)
		require.NoError(t, err)
		lines = strings.Split(string(text), "\n")
		sourceLines[i.file] = lines
	}
	return lines[i.line-1]
}

// sourceLines has the lines of each file that the tests have read. No two of them run at once.
var sourceLines = map[string][]string{}

var listed = regexp.MustCompile(`^\t0x[0-9a-f]+ \d+ \((.*):(\d+)\)\t([A-Z0-9]+)\t?(.*)$`)

// compile returns the code of each function of some packages, by its name, for
// amd64 and without the race detector.
func compile(t *testing.T, packages ...string) map[string][]instruction {
	t.Helper()
	sample.NeedsAll(t)
	cmd := exec.Command("go", append([]string{"build", "-gcflags=-S", "-o", os.DevNull}, packages...)...)
	cmd.Env = append(os.Environ(), "GOARCH=amd64", "CGO_ENABLED=0", "GOFLAGS=")
	listing, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", listing)
	functions, name := map[string][]instruction{}, ""
	for text := range strings.Lines(string(listing)) {
		text = strings.TrimSuffix(text, "\n")
		if f, _, ok := strings.Cut(text, " STEXT"); ok {
			name = f
		} else if m := listed.FindStringSubmatch(text); m != nil {
			line, err := strconv.Atoi(m[2])
			require.NoError(t, err)
			functions[name] = append(functions[name], instruction{m[1], line, m[3], m[4]})
		}
	}
	return functions
}

// The instructions of a store to memory, with a fence and without.
var (
	toMemory = regexp.MustCompile(`, \d*\([A-Z0-9]+\)(\([A-Z0-9]+\*\d\))?$`)
	plain    = regexp.MustCompile(`^MOV[BLQ]$`)
	exchange = regexp.MustCompile(`^XCHG[BLQ]$`)
)

// released reports whether an instruction is the plain store of StoreRelease.
func (i instruction) released() bool {
	return strings.HasSuffix(i.file, "/register/register.go") && plain.MatchString(i.op) && toMemory.MatchString(i.args)
}

// fenced reports whether an instruction is the store of sync/atomic. The compiler calls a
// function for the store of a pointer, which tells the garbage collector.
func (i instruction) fenced(t *testing.T) bool {
	if i.op == "CALL" && strings.HasPrefix(i.args, "sync/atomic.StorePointer(SB)") {
		return true
	}
	return i.exchanges() && strings.Contains(i.source(t), ") Store(")
}

// exchanges reports whether an instruction is the store or the swap of sync/atomic.
func (i instruction) exchanges() bool {
	return strings.HasSuffix(i.file, "/sync/atomic/type.go") && exchange.MatchString(i.op) && toMemory.MatchString(i.args)
}

// calls reports whether an instruction calls a method of that name, or one through an
// interface.
func (i instruction) calls(method string) bool {
	return i.op == "CALL" && (strings.Contains(i.args, method+"(SB)") || !strings.Contains(i.args, "(SB)"))
}

// locked reports whether an instruction is the fence behind a store of StoreFencedIf.
func (i instruction) locked() bool {
	return strings.HasSuffix(i.file, "/register/register.go") && i.op == "LOCK"
}

// stores counts what a function stores, and the fences behind several stores.
type stores struct{ released, fenced, fences int }

func count(t *testing.T, code []instruction) (n stores) {
	for _, i := range code {
		if i.released() {
			n.released++
		}
		if i.fenced(t) {
			n.fenced++
		}
		if i.locked() {
			n.fences++
		}
	}
	return n
}

// written counts the stores in the source of each function in the files of a
// package, by the name that the compiler gives it: each that a lock's parameter
// decides on is there in both forms.
func written(t *testing.T, path string, files []string) map[string]stores {
	all := map[string]stores{}
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, d := range parsed.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			name := path + "." + f.Name.Name
			if f.Recv != nil {
				switch recv := f.Recv.List[0].Type.(type) {
				case *ast.StarExpr:
					name = fmt.Sprintf("%s.(*%s).%s", path, recv.X, f.Name.Name)
				default:
					name = fmt.Sprintf("%s.%s.%s", path, recv, f.Name.Name)
				}
			}
			var n stores
			ast.Inspect(f.Body, func(node ast.Node) bool {
				if call, ok := node.(*ast.CallExpr); ok {
					if s, ok := call.Fun.(*ast.SelectorExpr); ok {
						switch s.Sel.Name {
						case "Store":
							n.fenced++
						case "StoreRelease":
							n.released++
						case "StoreReleaseIf":
							n.released++
							n.fenced++
						case "StoreFencedIf":
							n.released++
							n.fences++
							n.fenced++
						}
					}
				}
				return true
			})
			if n != (stores{}) {
				all[name] = n
			}
		}
	}
	return all
}

// Every released store of a lock is compiled to a plain MOV, every other store to an
// XCHG, and to a MOV and a fence where they are for several, all in the place of the call.
// Without -all it compiles four families, which have stores of each kind.
func TestStoresAreCompiledAsWritten(t *testing.T) {
	families := []string{"shmbench/bakery", "shmbench/peterson", "shmbench/locks/queue", "shmbench/tas"}
	all := sources.Packages(catalog.Families())
	require.Subset(t, all, families)
	if sample.All() {
		families = all
	}
	code := compile(t, families...)
	total, fences := 0, 0
	for _, path := range families {
		files, err := filepath.Glob(filepath.Join("..", strings.TrimPrefix(path, "shmbench/"), "*.go"))
		require.NoError(t, err)
		for name, want := range written(t, path, withoutTests(files)) {
			require.Contains(t, code, name)
			got := count(t, code[name]) // with those of functions that are compiled in its place
			require.GreaterOrEqual(t, got.released, want.released, name)
			require.GreaterOrEqual(t, got.fenced, want.fenced, name)
			require.GreaterOrEqual(t, got.fences, want.fences, name)
			total += want.released
			fences += want.fences
		}
	}
	require.Greater(t, total, 20)
	require.Positive(t, fences)
}

// The fence of StoreFencedIf is behind its store, and what is read next behind the fence.
func TestTheFenceIsBehindTheStore(t *testing.T) {
	const text = `package main

import "shmbench/shm/register"

func main() {}

func dekker(mine, other *register.Uint32) bool {
	mine.StoreFencedIf(true, 1)
	return other.Load() == 0
}
`
	file := filepath.Join(t.TempDir(), "dekker.go")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
	var order []string
	for _, i := range compile(t, file)["main.dekker"] {
		switch {
		case i.released() && !strings.Contains(i.args, "(SP)"):
			order = append(order, "store")
		case i.locked():
			order = append(order, "fence")
		case strings.HasSuffix(i.file, "/sync/atomic/type.go") && strings.HasPrefix(i.op, "MOV"):
			order = append(order, "load")
		}
	}
	require.Equal(t, []string{"store", "fence", "load"}, order)
}

func withoutTests(files []string) (kept []string) {
	for _, f := range files {
		if !strings.HasSuffix(f, "_test.go") {
			kept = append(kept, f)
		}
	}
	return kept
}

// sections is a program with a function for each type of lock, which has a
// critical section between Lock and Unlock, or, if it is wrong on purpose, an
// access of the section behind Unlock. It returns its functions' code.
func sections(t *testing.T, wrong bool) (file string, code map[string][]instruction) {
	imports, body := map[string]bool{}, ""
	seen := map[reflect.Type]bool{}
	for _, a := range catalog.All() {
		m, err := a.New(min(2, a.MaxProcs))
		require.NoError(t, err)
		typ := reflect.TypeOf(m)
		if a.Class&shm.Opaque != 0 || seen[typ] {
			continue
		}
		seen[typ] = true
		imports[typ.Elem().PkgPath()] = true
		last, exit := "\tx = d.c // section\n", "\tl.Unlock(1)\n"
		if wrong {
			last, exit = exit, last
		}
		body += fmt.Sprintf("func %s(l %s, d *data) (x uint64) {\n\tl.Lock(1)\n\td.a = d.b + 1 // section\n%s%s\treturn 3 * x\n}\n\n",
			strings.ReplaceAll(typ.Elem().String(), ".", "_"), typ, last, exit)
	}
	text := "package main\n\nimport (\n"
	for path := range imports {
		text += fmt.Sprintf("\t%q\n", path)
	}
	text += ")\n\ntype data struct{ a, b, c uint64 }\n\nfunc main() {}\n\n" + body
	file = filepath.Join(t.TempDir(), "sections.go")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
	code = compile(t, file)
	for name := range code {
		if !strings.Contains(name, "Mutex") && !strings.HasSuffix(name, "_Tree") || strings.Contains(name, ".func") {
			delete(code, name)
		}
	}
	require.Len(t, code, len(seen))
	return file, code
}

// sectionEnds returns the indexes of the last of the three accesses of the section,
// and of the first access of the exit section: a store, a
// read-modify-write operation, or the call of an Unlock that is not in the place of
// its call.
func sectionEnds(t *testing.T, name, file string, code []instruction) (section, exit int) {
	accesses, memory := 0, regexp.MustCompile(`\((AX|BX|CX|DX|SI|DI|R\d+)\)`)
	section, exit = -1, -1
	for k, i := range code {
		switch {
		case i.file == file && memory.MatchString(i.args) && strings.Contains(i.source(t), "// section"):
			if i.op == "TESTB" { // a nil check
				continue
			}
			accesses, section = accesses+1, k
		case accesses == 0: // the entry section
		case exit < 0 && (i.released() || i.fenced(t) || i.exchanges() || i.op == "LOCK" || i.calls("Unlock")):
			exit = k
		}
	}
	require.Equal(t, 3, accesses, name)
	require.Positive(t, exit, name)
	return section, exit
}

// Nothing of the critical section is compiled to come after the store that
// leaves it, though the compiler sees both: package register says why.
func TestNothingOfTheSectionMovesPastTheExit(t *testing.T) {
	sample.NeedsAll(t)
	file, code := sections(t, false)
	for name, f := range code {
		section, exit := sectionEnds(t, name, file, f)
		require.Less(t, section, exit, name)
	}
	file, code = sections(t, true)
	for name, f := range code {
		section, exit := sectionEnds(t, name, file, f)
		require.Greater(t, section, exit, "an access behind the exit section is not seen: %s", name)
	}
}
