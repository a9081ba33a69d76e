package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/internal/testkit/sample"
)

var example = map[string]string{
	"go.mod":      "module example\n\ngo 1.26\n",
	"max/max.go":  "package max\n\nfunc Max(a, b int) int {\n\tif a > b {\n\t\treturn a\n\t}\n\treturn b\n}\n",
	"max/min.go":  "package max\n\nfunc Min(a, b int) int {\n\tif a < b {\n\t\treturn a\n\t}\n\treturn b\n}\n",
	"max/text.go": "package max\n\nfunc Text(a string) string { return \"max: \" + a }\n",
	"max/max_test.go": "package max\n\nimport \"testing\"\n\nfunc TestMax(t *testing.T) {\n" +
		"\tif Max(1, 2) != 2 || Max(2, 1) != 2 || Text(\"1\") != \"max: 1\" {\n\t\tt.Fatal()\n\t}\n}\n",
	"use/use.go":      "package use\n\nimport \"example/max\"\n\nvar Least = max.Min(3, 4)\n",
	"use/use_test.go": "package use\n\nimport \"testing\"\n\nfunc TestLeast(t *testing.T) {\n\tif Least != 3 {\n\t\tt.Fatal()\n\t}\n}\n",
}

func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	}
	return dir
}

func TestWhatTheTestsNoticeIsKilledAndNothingElse(t *testing.T) {
	sample.NeedsAll(t) // it compiles a module a dozen times
	dir := write(t, example)
	var out strings.Builder
	all := sampling{patterns: []string{"./max"}, n: 100, seed: 1, timeout: time.Minute}
	alive, err := all.run(context.Background(), &out, dir)
	require.NoError(t, err)
	// "a >= b" and "a <= b" change nothing that can be seen.
	require.Equal(t, 2, alive, out.String())
	for _, line := range []string{
		`killed    max/max.go:4: "<=" for ">", by example/max`,
		`killed    max/max.go:4: "!(a > b)" for "a > b", by example/max`,
		`survived  max/max.go:4: ">=" for ">"`,
		`killed    max/min.go:4: ">=" for "<", by example/use`,
		`survived  max/min.go:4: "<=" for "<"`,
		"6 faults of 7, seed 1: 2 survive", // "-" between strings does not compile
	} {
		require.Contains(t, out.String(), line+"\n")
	}
	t.Chdir(dir)
	all.quick = true
	alive, err = all.run(context.Background(), &out, ".")
	require.NoError(t, err)
	require.Equal(t, 4, alive, "what only the tests of package use notice survives:\n"+out.String())
	text, err := os.ReadFile(filepath.Join(dir, "max/max.go"))
	require.NoError(t, err)
	require.Equal(t, example["max/max.go"], string(text), "no file is changed")
}

// TestWhatReadsTheFault: tests and the command of -then may read the source of the fault. Those that fail without a fault notice none.
func TestWhatReadsTheFault(t *testing.T) {
	sample.NeedsAll(t)
	dir := write(t, map[string]string{
		"go.mod":   "module example\n\ngo 1.26\n",
		"one/a.go": "package one\n\nconst one = 1\n",
		"one/a_test.go": "package one\n\nimport (\n\t\"os\"\n\t\"strings\"\n\t\"testing\"\n)\n\nfunc TestOne(t *testing.T) {\n" +
			"\ttext, err := os.ReadFile(\"a.go\")\n\tif err != nil || !strings.Contains(string(text), \"= 1\") {\n\t\tt.Fatal()\n\t}\n}\n",
		"two/b.go":      "package two\n\nconst two = 2\n",
		"two/b_test.go": "package two\n\nimport \"testing\"\n\nfunc TestTwo(t *testing.T) { t.Fatal() }\n",
	})
	var out strings.Builder
	alive, err := sampling{patterns: []string{"../one"}, n: 1, timeout: time.Minute}.run(t.Context(), &out, filepath.Join(dir, "two"))
	require.NoError(t, err)
	require.Zero(t, alive)
	require.Contains(t, out.String(), `killed    one/a.go:3: "2" for "1", by example/one`)

	_, err = sampling{patterns: []string{"./..."}, only: regexp.MustCompile("two/"), n: 1, timeout: time.Minute}.run(t.Context(), &out, dir)
	require.EqualError(t, err, "example/two fails without a fault, so it cannot notice one")

	alive, err = sampling{patterns: []string{"./max"}, only: regexp.MustCompile(`max.go:4: ">="`), n: 1, timeout: time.Minute,
		then: "! grep -q '>=' max/max.go"}.run(t.Context(), &out, write(t, example))
	require.NoError(t, err)
	require.Zero(t, alive)
	require.Contains(t, out.String(), `killed    max/max.go:4: ">=" for ">", by ! grep -q '>=' max/max.go`)
}

// TestAModuleWithinAnother: a module below a folder of another is built with this one.
func TestAModuleWithinAnother(t *testing.T) {
	dir := write(t, map[string]string{
		"go.mod":         "module outer\n\ngo 1.26\n",
		"two/two.go":     "package two\n\nconst Two = 2\n",
		"a/in/go.mod":    "module in\n\ngo 1.26\n\nrequire outer v0.0.0\n\nreplace outer => ../..\n",
		"a/in/p.go":      "package in\n\nimport \"outer/two\"\n\nconst one = two.Two - 1\n",
		"a/in/p_test.go": "package in\n\nimport \"testing\"\n\nfunc TestOne(t *testing.T) {\n\tif one != 1 {\n\t\tt.Fatal()\n\t}\n}\n",
	})
	var out strings.Builder
	alive, err := sampling{patterns: []string{"."}, n: 1, timeout: time.Minute}.run(t.Context(), &out, filepath.Join(dir, "a/in"))
	require.NoError(t, err)
	require.Zero(t, alive)
	require.Contains(t, out.String(), "killed    p.go:5: ")
}

func TestAFaultOfEachKind(t *testing.T) {
	const source = "package p\n\nfunc f(a int, b bool) {\n\tfor {\n\t\ta++\n\t\ta += 2\n\t\ta = 7\n\t\tdefer g(-1.5)\n\t\tg(a &^ 1)\n\t\tif b && !true {\n\t\t\tbreak\n\t\t}\n\t}\n}\n"
	all, err := mutants("p.go", []byte(source))
	require.NoError(t, err)
	var got []string
	for _, m := range all {
		require.Equal(t, m.old, source[m.begin:m.end])
		got = append(got, strings.TrimPrefix(m.String(), "p.go:"))
	}
	require.ElementsMatch(t, []string{
		`5: "--" for "++"`,
		`6: "-=" for "+="`, `6: "=" for "+="`, `6: "3" for "2"`,
		`7: "" for "a = 7"`, `7: "8" for "7"`,
		`8: "" for "defer g(-1.5)"`, `8: "" for "-"`, `8: "4" for "1.5"`,
		`9: "" for "g(a &^ 1)"`, `9: "&" for "&^"`, `9: "2" for "1"`,
		`10: "!(b && !true)" for "b && !true"`, `10: "||" for "&&"`, `10: "" for "!"`, `10: "false" for "true"`,
		`11: "continue" for "break"`,
	}, got)
	require.Equal(t, strings.Replace(source, "++", "--", 1), string(all[0].apply([]byte(source))))
}

func TestWrongUse(t *testing.T) {
	_, err := sampling{n: 1}.run(context.Background(), os.Stdout, ".")
	require.EqualError(t, err, "name packages: ./bench, or ./internal/... and the like")
	_, err = sampling{patterns: []string{"./nothing"}, n: 1}.run(context.Background(), os.Stdout, ".")
	require.ErrorContains(t, err, "go list ./nothing: ")
}

func TestTheStatusSaysWhatCameOut(t *testing.T) {
	var out strings.Builder
	for want, c := range map[int]struct {
		alive int
		err   error
	}{0: {0, nil}, 1: {2, nil}, 2: {0, errors.New("no such package")}, 3: {2, context.Canceled}} {
		require.Equal(t, want, status(&out, c.alive, c.err))
	}
	require.Equal(t, "mutation: no such package\n", out.String())
}

// The tests of a fault's package come first, those of packages that import it
// next, and those that were asked for last, each once.
func TestWitnesses(t *testing.T) {
	a := listed{ImportPath: "a", TestGoFiles: []string{"a_test.go"}}
	untested := listed{ImportPath: "untested", Imports: []string{"a"}}
	b := listed{ImportPath: "b", Imports: []string{"a"}, XTestGoFiles: []string{"b_test.go"}}
	c := listed{ImportPath: "c", Imports: []string{"b"}, TestGoFiles: []string{"c_test.go"}}
	module := []listed{b, untested, c, a}
	require.Equal(t, []string{"a", "b"}, witnesses(module, nil, "a"))
	require.Equal(t, []string{"a", "b", "c"}, witnesses(module, []listed{a, b, untested, c}, "a"))
	require.Equal(t, []string{"b", "c"}, witnesses(module, nil, "b"))
}
