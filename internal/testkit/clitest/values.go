package clitest

import (
	"context"
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"shmbench/internal/cli"
)

// WrongValues tests that a verb refuses a value that is empty, of no number, out of every
// range, of no file or of no name. The verb says so in one line that begins with the flag and
// the value, and ends with status 2. Taken are the suspect values that a verb accepts:
// nothing is what a zero says there. DIR is a folder that is there. Least has flags and
// arguments beside which a verb takes each of its flags, where its promise has others.
func (p Program) WrongValues(t *testing.T, promises map[string]Promise, taken map[string][]string, least map[string]string) {
	for _, v := range p.Verbs {
		t.Run(strings.ReplaceAll(v.Name, " ", "-"), func(t *testing.T) {
			fs := flag.NewFlagSet(v.Name, flag.ContinueOnError)
			fs.SetOutput(io.Discard)
			v.Setup(fs)
			dir := t.TempDir()
			require.NoError(t, os.Mkdir(filepath.Join(dir, "folder"), 0o777))
			t.Chdir(dir) // for text that is written all the same
			line := promises[v.Name].Quick
			if other, ok := least[v.Name]; ok {
				line = other
			}
			rest := p.arguments(t, line)
			seen := []string{}
			fs.VisitAll(func(f *flag.Flag) {
				for _, value := range suspects(f) {
					word := "-" + f.Name + "=" + value
					args := slices.Concat(strings.Fields(v.Name), []string{strings.ReplaceAll(word, "DIR", dir)}, without(rest, f.Name))
					if slices.Contains(taken[v.Name], word) {
						seen = append(seen, word)
						p.requireTaken(t, args)
						continue
					}
					out, diag, status := p.Run(t.Context(), args...)
					assert.Equal(t, cli.Usage, status, "%q: %s", args, out)
					assert.Equal(t, 1, strings.Count(diag, "\n"), "%q: %s", args, diag)
					assert.True(t, strings.HasPrefix(diag, p.Name+" "+v.Name+": -"+f.Name+" "), "%q: %s", args, diag)
				}
			})
			assert.ElementsMatch(t, taken[v.Name], seen, "each of the values that are taken is a value of the test")
		})
	}
}

// requireTaken requires that a command line is no wrong use. It is interrupted before
// it begins.
func (p Program) requireTaken(t *testing.T, args []string) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, diag, status := p.Run(ctx, args...)
	assert.Equal(t, cli.Undecided, status, "%q: %s", args, diag)
}

// suspects are values that a flag may have to refuse, by the kind of value it holds.
func suspects(f *flag.Flag) []string {
	kind, _ := flag.UnquoteUsage(f)
	bare := cli.Bare(f.Value)
	if b, ok := bare.(interface{ IsBoolFlag() bool }); ok && b.IsBoolFlag() {
		return []string{"", "7"}
	}
	switch kind {
	case "file", "folder", "directory":
		return []string{"", "-", "DIR/folder", "DIR/nosuch/file"}
	}
	if g, ok := bare.(flag.Getter); ok {
		if _, word := g.Get().(string); !word {
			return []string{"", "x", "-1", "0", "NaN", "Inf", "-1s", "99999999999999999999999", "9999999h", "1,0"}
		}
	}
	return []string{"", "no such", "("}
}

// without returns arguments without a flag and its value.
func without(args []string, name string) []string {
	for i, a := range args {
		switch {
		case a == "-"+name:
			return slices.Delete(slices.Clone(args), i, i+2)
		case strings.HasPrefix(a, "-"+name+"="):
			return slices.Delete(slices.Clone(args), i, i+1)
		}
	}
	return args
}
