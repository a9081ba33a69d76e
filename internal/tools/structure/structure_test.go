package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestContributingIsUpToDate compares the drawing in CONTRIBUTING.md with the imports.
func TestContributingIsUpToDate(t *testing.T) {
	drawing, err := draw(t.Context(), "../../..")
	require.NoError(t, err)
	text, err := os.ReadFile("../../../" + file)
	require.NoError(t, err)
	want, err := replace(string(text), drawing)
	require.NoError(t, err)
	require.Equal(t, want, string(text), "run: go -C internal/tools run ./structure")
}

// TestRun draws a module of a lock and its catalog. It leaves a file without marks alone.
func TestRun(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":             "module m\n\ngo 1.26\n",
		"shm/shm.go":         "package shm\n",
		"lock/lock.go":       "package lock\n\nimport _ \"m/shm\"\n",
		"catalog/catalog.go": "package catalog\n\nimport (\n\t_ \"m/lock\"\n\t_ \"m/shm\"\n)\n",
	} {
		path := filepath.Join(root, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	}
	path := filepath.Join(root, file)
	require.ErrorIs(t, run(t.Context(), root), os.ErrNotExist)

	require.NoError(t, os.WriteFile(path, []byte("text\n"), 0o666))
	require.ErrorContains(t, run(t.Context(), root), "has no marks")
	got, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "text\n", string(got))

	require.NoError(t, os.WriteFile(path, []byte("a\n"+begin+"old\n"+end+"b\n"), 0o666))
	require.NoError(t, run(t.Context(), root))
	got, err = os.ReadFile(path)
	require.NoError(t, err)
	require.Regexp(t, `(?s)^a\n<!-- .*catalog --> locks\n.*locks --> shm\n.* -->\nb\n$`, string(got))
	require.NotContains(t, string(got), "old")
}

// TestMermaid leaves out the arrows that others imply, and keeps those of a cycle.
func TestMermaid(t *testing.T) {
	packages := imports{
		"m/a":   {"fmt", "m/b", "m/c/x", "m/d"},
		"m/b":   {"m/c/y"},
		"m/c/x": {"m/c/y", "os"},
		"m/c/y": nil,
		"m/d":   {"m/a"},
		"m/out": {"m/a"},
	}
	g := collapse(packages, func(path string) string {
		name, _, _ := strings.Cut(strings.TrimPrefix(path, "m/"), "/")
		return strings.TrimSuffix(name, "out")
	})
	require.Equal(t, "```mermaid\ngraph TD\n    a[a]\n    b[b]\n    c[c]\n    d[d]\n    a --> b\n    a --> d\n    b --> c\n    d --> a\n```\n", mermaid(g))
}

// TestRooms: locks are one room, a folder is one, and helpers have none.
func TestRooms(t *testing.T) {
	locks := map[string]bool{"rw": true}
	for name, want := range map[string]string{"rw": "locks", "check/internal/model": "check", "cmd/shmbench": "cmd/shmbench", "internal/stat": "", "examples/mutex": "", "shm": "shm"} {
		require.Equal(t, want, room(name, locks), name)
	}
}

// TestMarks: a file without both marks, in their order, is refused.
func TestMarks(t *testing.T) {
	for _, text := range []string{"text\n", begin + "text\n", "text\n" + end, end + "text\n" + begin} {
		_, err := replace(text, "drawing")
		require.ErrorContains(t, err, "has no marks", text)
	}
	got, err := replace("a\n"+begin+"old\n"+end+"b\n", "new\n")
	require.NoError(t, err)
	require.Equal(t, "a\n"+begin+"new\n"+end+"b\n", got)
}
