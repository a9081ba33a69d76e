package main

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestContributingIsUpToDate compares the drawing in CONTRIBUTING.md with the imports.
func TestContributingIsUpToDate(t *testing.T) {
	drawing, err := draw(t.Context(), "../..")
	require.NoError(t, err)
	text, err := os.ReadFile("../../" + file)
	require.NoError(t, err)
	want, err := replace(string(text), drawing)
	require.NoError(t, err)
	require.Equal(t, want, string(text), "run: go run ./internal/structure")
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

// TestMarks: a file without marks is refused.
func TestMarks(t *testing.T) {
	_, err := replace("text\n", "drawing")
	require.ErrorContains(t, err, "has no marks")
	got, err := replace("a\n"+begin+"old\n"+end+"b\n", "new\n")
	require.NoError(t, err)
	require.Equal(t, "a\n"+begin+"new\n"+end+"b\n", got)
}
