package main

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

// taken are the suspect values that a flag takes all the same: nothing is what a
// zero says there. DIR is a folder that is there.
var taken = map[string][]string{
	"run":          {"-cs=0", "-ncs=0", "-cs-lines=0", "-readers=0"},
	"all":          {"-dir=-", "-dir=DIR/folder", "-dir=DIR/nosuch/file"},
	"stress":       {"-passages=0"},
	"check":        {"-passages=0", "-replays=0"},
	"predict":      {"-cs=0", "-ncs=0", "-cs-lines=0", "-rate=0", "-seed=0"},
	"dist run":     {"-crash-every=0", "-cut-every=0", "-duplication=0", "-loss=0", "-move=0", "-patience=0", "-tick=0", "-until=0", "-warmup=0", "-seed=0"},
	"dist table":   {"-seed=0"},
	"dist scale":   {"-seed=0"},
	"dist elect":   {"-seed=0"},
	"dist study":   {"-seed=0", "-warmup=0", "-o=-", "-o=DIR/folder", "-o=DIR/nosuch/file"},
	"dist explore": {"-crash=0", "-duplicate=0", "-early=0", "-hang=0", "-lose=0", "-moves=0", "-partition=0", "-recover=0", "-requests=0"},
}

// least has flags and arguments beside which a verb takes each of its flags, where the
// promise of the verb has others.
var least = map[string]string{
	"predict": "-alg=^tas/tas$ -procs=1",
	"check":   "",
	"all":     "-o PAGE -alg=^tas/tas$",
}

// A value that is empty, of no number, out of every range, of no file or of no name
// is refused in one line that begins with the flag and the value, and status 2.
func TestWrongValuesAreRefused(t *testing.T) {
	for _, v := range verbs {
		t.Run(strings.ReplaceAll(v.Name, " ", "-"), func(t *testing.T) {
			fs := flag.NewFlagSet(v.Name, flag.ContinueOnError)
			fs.SetOutput(io.Discard)
			v.Setup(fs)
			dir := t.TempDir()
			require.NoError(t, os.Mkdir(filepath.Join(dir, "folder"), 0o777))
			t.Chdir(dir) // for what is written all the same
			line := promises[v.Name].quick
			if other, ok := least[v.Name]; ok {
				line = other
			}
			rest := arguments(t, line)
			seen := []string{}
			fs.VisitAll(func(f *flag.Flag) {
				for _, value := range suspects(f) {
					word := "-" + f.Name + "=" + value
					args := slices.Concat(strings.Fields(v.Name), []string{strings.ReplaceAll(word, "DIR", dir)}, without(rest, f.Name))
					if slices.Contains(taken[v.Name], word) {
						seen = append(seen, word)
						requireTaken(t, args)
						continue
					}
					out, diag, status := shmbench(t.Context(), args...)
					assert.Equal(t, exitUsage, status, "%q: %s", args, out)
					assert.Equal(t, 1, strings.Count(diag, "\n"), "%q: %s", args, diag)
					assert.True(t, strings.HasPrefix(diag, "shmbench "+v.Name+": -"+f.Name+" "), "%q: %s", args, diag)
				}
			})
			assert.ElementsMatch(t, taken[v.Name], seen, "each of the values that are taken is a value of the test")
		})
	}
}

// requireTaken requires that a command line is no wrong use. It is interrupted before
// it begins.
func requireTaken(t *testing.T, args []string) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, diag, status := shmbench(ctx, args...)
	assert.Equal(t, exitUndecided, status, "%q: %s", args, diag)
}

// suspects are values that a flag may have to refuse, by what it holds.
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
