package interp

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check/internal/load"
)

const constructs = "testdata/constructs"

// construct is a file of package constructs. The code block of Lock's doc comment
// has the accesses that it must make; there is none after a line that ends in
// the comment "refused: why" or "fails: why".
type construct struct {
	constructor string
	accesses    string
	end         string // "12: refused: uses a map"
}

func readConstruct(t *testing.T, file string) construct {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, nil, parser.ParseComments|parser.SkipObjectResolution)
	require.NoError(t, err)
	var c construct
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		switch {
		case !ok:
		case fn.Recv == nil && strings.HasPrefix(fn.Name.Name, "New"):
			require.Empty(t, c.constructor, "%s has one constructor", file)
			c.constructor = fn.Name.Name
		case fn.Recv != nil && fn.Name.Name == "Lock":
			var all []string
			for line := range strings.Lines(fn.Doc.Text()) {
				if block, ok := strings.CutPrefix(line, "\t"); ok {
					all = append(all, strings.TrimSuffix(strings.TrimSpace(block), ","))
				}
			}
			c.accesses = strings.Join(all, ", ")
		}
	}
	require.NotEmpty(t, c.constructor, file)
	for _, group := range f.Comments {
		for _, comment := range group.List {
			if text := strings.TrimPrefix(comment.Text, "// "); strings.HasPrefix(text, "refused: ") || strings.HasPrefix(text, "fails: ") {
				require.Empty(t, c.end, "%s ends once", file)
				c.end = fmt.Sprintf("%d: %s", fset.Position(comment.Pos()).Line, text)
			}
		}
	}
	return c
}

// TestConstructs runs a process alone through each construct of the language:
// it makes the accesses that are written beside it, and no others.
func TestConstructs(t *testing.T) {
	prog, err := load.Load(t.Context(), "", "./"+constructs)
	require.NoError(t, err)
	files, err := filepath.Glob(constructs + "/*.go")
	require.NoError(t, err)
	require.Greater(t, len(files), 60)
	for _, file := range files {
		if filepath.Base(file) == "doc.go" {
			continue
		}
		t.Run(strings.TrimSuffix(filepath.Base(file), ".go"), func(t *testing.T) {
			want := readConstruct(t, file)
			m := New(t.Context(), prog)
			require.NoError(t, m.Init())
			c, err := m.Constructor(want.constructor)
			require.NoError(t, err)
			require.NoError(t, m.Build(c, 1))
			accesses, fault := passage(t, m)
			end := ""
			if fault != nil {
				name, line := prog.Place(fault.Pos)
				require.Equal(t, filepath.Base(file), filepath.Base(name), fault.Msg)
				end = fmt.Sprintf("%d: fails: %s", line, fault.Msg)
				if fault.Refused {
					end = fmt.Sprintf("%d: refused: %s", line, fault.Msg)
				}
			}
			require.Equal(t, want.accesses, strings.Join(accesses, ", "))
			require.Equal(t, want.end, end)
		})
	}
}

// passage runs a process through Lock, or to a fault, and returns its accesses.
func passage(t *testing.T, m *Machine) (accesses []string, fault *Fault) {
	t.Helper()
	names := m.Names()
	ended := false
	note := func(format string, args ...any) {
		if !ended {
			accesses = append(accesses, fmt.Sprintf(format, args...))
		}
	}
	m.Watch(func(q Quiet) {
		switch q.Op {
		case Pass:
			ended = true
		case Load:
			note("%s = %s", cellName(names, q.At), valueOf(names, q.At, q.Value))
		case Store:
			note("%s := %s", cellName(names, q.At), valueOf(names, q.At, q.Value))
		}
	})
	for range 100 {
		accesses, ended = nil, false
		memory := map[Ptr]Value{}
		st, err := m.Start(0)
		for steps := 0; err == nil && !ended && st.Fault == nil; steps++ {
			require.Less(t, steps, 1000, "it does not end")
			a := st.Access
			before, written := memory[a.At]
			if !written {
				before = m.Initial(a.At)
			}
			if pools := m.Publishes(0, st); pools != nil && a.Takes(before) {
				st = bound(t, m, st, pools, memory)
				a, names = st.Access, m.Names()
			}
			now, result := a.Apply(before)
			memory[a.At] = now
			note("%s", describeAccess(names, a, before, now, result))
			st, err = m.Resume(0, st, result)
		}
		switch {
		case err != nil:
			require.ErrorIs(t, err, ErrReclassified)
			continue // memory is private that was taken for constant
		case ended:
			return accesses, nil
		}
		return accesses, st.Fault
	}
	require.Fail(t, "learning does not end")
	return nil, nil
}

// bound gives slots to the variables that the next access shares. No slot was taken
// before.
func bound(t *testing.T, m *Machine, st *State, pools []int, memory map[Ptr]Value) *State {
	t.Helper()
	var slots []int
	taken := map[int]int{} // by pool
	for _, p := range pools {
		if taken[p] == len(m.Pool(p)) {
			_, err := m.Grow(p)
			require.NoError(t, err)
		}
		slots = append(slots, m.Pool(p)[taken[p]])
		taken[p]++
	}
	st, content, err := m.Bind(st, slots)
	require.NoError(t, err)
	for i, cells := range content {
		for off, v := range cells {
			memory[m.SlotCell(slots[i], int32(off))] = v
		}
	}
	return st
}

func describeAccess(names *Names, a *Access, before, now, result Value) string {
	text := cellName(names, a.At)
	if !a.Stores() {
		text += " = " + valueOf(names, a.At, before)
	}
	if a.Writes() && (a.Op != CompareAndSwap || result == Num(1)) {
		text += " := " + valueOf(names, a.At, now)
	}
	if a.Plain {
		return text
	}
	return a.Op.String() + " " + text
}

func cellName(names *Names, p Ptr) string {
	switch name := names.Cell(p); {
	case name == "":
		return "embedded" // a pointer
	case strings.HasPrefix(name, "cell "):
		return "cell" // it has no name in the source
	default:
		return name
	}
}

func valueOf(names *Names, p Ptr, v Value) string {
	switch v.(type) {
	case Slice:
		return "slice"
	case *Closure:
		return "func"
	case Map:
		return "map"
	case Opaque:
		return "unknown"
	}
	return names.Value(p, v)
}
