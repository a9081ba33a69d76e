package interp

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check/internal/load"
)

// compiled compares the interpreter with the compiler on functions from two words to one.
type compiled struct {
	text  bytes.Buffer // declarations, F0, F1, … among them
	names []string     // what each function is
}

// add declares the next function, which computes from a and b.
func (c *compiled) add(name, body string) {
	fmt.Fprintf(&c.text, "\nfunc F%d(a, b uint64) uint64 {\n%s\n}\n", len(c.names), body)
	c.names = append(c.names, name)
}

// run calls every function on every pair of operands, compiled and
// interpreted, and returns how many results were the same and how many the
// interpreter has refused to tell. A panic is a result.
func (c *compiled) run(t *testing.T, imports string, pairs [][2]uint64) (same, refused int) {
	t.Helper()
	var text bytes.Buffer
	fmt.Fprintf(&text, "package main\n\nimport (\n\t\"bufio\"\n\t\"fmt\"\n\t\"os\"\n%s)\n", imports)
	text.WriteString(`
func main() {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for _, f := range functions {
		for _, p := range pairs {
			fmt.Fprintln(out, call(f, p[0], p[1]))
		}
	}
}

func call(f func(a, b uint64) uint64, a, b uint64) (result string) {
	defer func() {
		if x := recover(); x != nil {
			result = "panics"
		}
	}()
	return fmt.Sprint(f(a, b))
}

func flag(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

var functions = []func(a, b uint64) uint64{`)
	for i := range c.names {
		fmt.Fprintf(&text, "F%d, ", i)
	}
	text.WriteString("}\n\nvar pairs = [][2]uint64{")
	for _, p := range pairs {
		fmt.Fprintf(&text, "{%d, %d}, ", p[0], p[1])
	}
	text.WriteString("}\n")
	text.Write(c.text.Bytes())

	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "main.go"), text.Bytes(), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module compiled\n\ngo 1.26\n"), 0o644))
	cmd := exec.CommandContext(t.Context(), "go", "run", ".")
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, stderr.String())
	want := strings.Fields(string(out))
	require.Len(t, want, len(c.names)*len(pairs))

	prog, err := load.Load(t.Context(), dir, ".")
	require.NoError(t, err)
	m := New(t.Context(), prog)
	for i, name := range c.names {
		fn := prog.Main.Func(fmt.Sprintf("F%d", i))
		for k, p := range pairs {
			v, err := m.call(fn, []Value{Num(p[0]), Num(p[1])}, nil)
			got := ""
			var fault *Fault
			switch {
			case errors.As(err, &fault) && fault.Refused:
				refused++
				continue
			case err != nil:
				got = "panics"
			default:
				if _, unknown := v.(Opaque); unknown {
					refused++
					continue
				}
				got = fmt.Sprintf("%d", v)
			}
			require.Equal(t, want[i*len(pairs)+k], got, "%s, a = %d, b = %d", name, p[0], p[1])
			same++
		}
	}
	return same, refused
}
