package pagetest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Folder makes a module of a user's own, with a lock in mylock, results, and the files
// that commands of the pages read. It returns the path.
func Folder(t *testing.T, root string) string {
	dir := t.TempDir()
	copyTo := func(name, from string) {
		text, err := os.ReadFile(filepath.Join(root, from))
		require.NoError(t, err)
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777))
		own := strings.ReplaceAll(string(text), `"example.com/ownlock"`, `ownlock "example.com/mine/mylock"`)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(own), 0o666))
	}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	require.NoError(t, err)
	module := strings.Replace(string(mod), "module shmbench\n", "module example.com/mine\n", 1)
	require.NotEqual(t, string(mod), module)
	module += fmt.Sprintf("\nrequire shmbench v0.0.0\n\nreplace shmbench => %s\n", root)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte(module), 0o666))
	copyTo("go.sum", "go.sum")
	copyTo("mylock/mylock.go", "examples/ownlock/ownlock.go")
	copyTo("mylock/mylock_test.go", "examples/ownlock/ownlock_test.go")
	for _, folder := range []string{"results", "predict", "distributed", "check", "examples"} {
		require.NoError(t, os.Symlink(filepath.Join(root, folder), filepath.Join(dir, folder)))
	}
	for _, name := range []string{"a.txt", "b.txt", "old.txt", "new.txt", "yesterday.txt", "today.txt", "run.txt", "sweep.txt", "busy.txt", "measured.txt", "predicted.txt"} {
		copyTo(name, "results/amd-epyc-2/run.txt")
	}
	copyTo("points.tsv", "predict/testdata/lockhammer.tsv")
	copyTo("here.json", "predict/machines/epyc-2.json")
	copyTo("trace.txt", "distributed/scenario/shipped/central.txt")
	for _, name := range []string{"verdicts.json", "stress.json", "mutants.json"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(`{"format": "shmbench list 1", "complete": true, "results": []}`), 0o666))
	}
	return dir
}

// withoutOutputs removes the result files that the words of a command name as outputs:
// no command of shmbench writes over one.
func withoutOutputs(dir string, words []string) {
	if words[0] != "shmbench" {
		return
	}
	for i, word := range words[:max(0, len(words)-1)] {
		if word == "-o" && strings.HasSuffix(words[i+1], ".txt") {
			os.Remove(filepath.Join(dir, words[i+1]))
		}
	}
}
