package gocmd

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFirstLine: headings and progress are left out, and what a line announces belongs
// to it.
func TestFirstLine(t *testing.T) {
	for messages, want := range map[string]string{
		"":                              "",
		"\n# mylock\n":                  "",
		"# mylock\nlock.go:3: no\nmore": "lock.go:3: no",
		"it imports:\n\tanother\nmore":  "it imports: another",
		"it imports:\n":                 "it imports: ",
		"go: downloading golang.org/x/sys v0.49.0\nlock.go:3: no\n": "lock.go:3: no",
	} {
		require.Equal(t, want, FirstLine(messages), "%q", messages)
	}
}

func TestOneLine(t *testing.T) {
	require.NoError(t, OneLine(nil))
	for message, plain := range map[string]string{
		"package nosuch is not in std (/go/src/nosuch)":                             "there is no package nosuch: a folder begins with ./, as in ./nosuch",
		"stat /home/nosuch: directory not found":                                    "there is no folder /home/nosuch",
		"directory ../lock outside main module or its selected dependencies":        "the folder ../lock is not in the module of the current folder: go to it, and write .",
		"directory ../lock outside modules listed in go.work or their dependencies": "the folder ../lock is not in the module of the current folder: go to it, and write .",
	} {
		require.EqualError(t, OneLine(&Failure{Verb: "list", Messages: message}), plain)
	}
	require.Equal(t, ErrMissing, OneLine(ErrMissing))
	require.EqualError(t, OneLine(&Failure{Verb: "build", Messages: "# mylock\nlock.go:3: no\nmore"}), "go build failed: lock.go:3: no")
	require.EqualError(t, OneLine(&Failure{Verb: "list"}), "go list failed")

	_, _, err := Run(t.Context(), t.TempDir(), "list", ".")
	require.ErrorContains(t, OneLine(err), "no go.mod here or in a folder above")
	other := errors.New("another")
	require.Equal(t, other, OneLine(other))
}

// TestPlace: what a place sets holds for the command.
func TestPlace(t *testing.T) {
	out, _, err := Place{Dir: t.TempDir(), Env: []string{"GOFLAGS=-mod=mod"}}.Run(t.Context(), "env", "GOFLAGS")
	require.NoError(t, err)
	require.Equal(t, "-mod=mod\n", out)
	t.Setenv("PATH", "")
	_, _, err = Run(t.Context(), "", "env")
	require.Equal(t, ErrMissing, err)
}
