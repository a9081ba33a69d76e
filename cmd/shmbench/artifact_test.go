package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/sample"
)

// finishedArtifact returns a folder in which every part of an artifact of tas/tas is done.
func finishedArtifact(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	f := &artifactFlags{Alg: "tas/tas", New: "New", Against: "tas/ttas", dir: dir}
	data := filepath.Join(dir, "data")
	require.NoError(t, f.settle(data))
	run, err := os.ReadFile(results(t, 100))
	require.NoError(t, err)
	for name, text := range map[string]string{
		"check.json":  `{"results": [{"algorithm": "tas/tas", "n": 2, "mutual_exclusion": "holds", "deadlock_freedom": "holds"}]}`,
		"run.txt":     string(run),
		"predict.txt": "",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(data, name), []byte(text), 0o666))
	}
	return dir
}

// TestArtifact: parts that are done are not done again; a folder of another command is refused, and so
// are a lock that there is not and an artifact that is none.
func TestArtifact(t *testing.T) {
	dir := finishedArtifact(t)
	out, diag, code := shmbench(t.Context(), "artifact", "-o", dir, "-alg", "tas/tas", "-against", "tas/ttas")
	require.Equal(t, exitHolds, code, diag)
	require.Contains(t, out, "README.md says how to rerun everything")
	require.Contains(t, diag, "1 of 3, proofs, counterexamples and witnesses: done before")
	for _, file := range []string{"README.md", "claims.json", "comparison.tsv", "tables.tex", "references.bib", "plot.svg", "plot.pdf", "rerun.sh", "SHA256SUMS", "source/tas/tas.go"} {
		require.FileExists(t, filepath.Join(dir, file))
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "data", "check.json"), []byte(`{"results": [{"algorithm": "tas/tas", "n": 2, "mutual_exclusion": "violated"}]}`), 0o666))
	out, _, code = shmbench(t.Context(), "artifact", "-o", dir, "-alg", "tas/tas", "-against", "tas/ttas")
	require.Equal(t, exitViolated, code)
	require.Contains(t, out, "the lock fails its check")
	readme, err := os.ReadFile(filepath.Join(dir, "README.md"))
	require.NoError(t, err)
	require.Contains(t, string(readme), "**The lock fails its check.**")
	for says, args := range map[string][]string{
		"has the artifact of another command":  {"-o", dir, "-alg", "tas/ttas", "-against", "tas/ttas"},
		"-alg tas/nope: there is no algorithm": {"-o", dir, "-alg", "tas/nope"},
		"-against nope: there is no algorithm": {"-o", dir, "-alg", "tas/tas", "-against", "nope"},
		"name the lock with -alg or -pkg":      {"-o", dir},
		"say with -o what folder to write":     {"-alg", "tas/tas"},
		"it is no artifact":                    {"-verify", t.TempDir()},
	} {
		_, diag, code := shmbench(t.Context(), append([]string{"artifact"}, args...)...)
		require.Equal(t, exitUsage, code, diag)
		require.Contains(t, diag, says)
	}
}

// TestArtifactOfForeignLocks: a lock that holds, one with a fault and one that is undecided, in modules of their
// own. The first one is verified, and is not with another verdict.
func TestArtifactOfForeignLocks(t *testing.T) {
	if !sample.All() {
		t.Skip("takes minutes: run with -all")
	}
	const lock = "package l\n\nimport \"sync/atomic\"\n\ntype Lock struct{ busy atomic.Bool; next, serving atomic.Uint32 }\n\nfunc New(n int) *Lock { return new(Lock) }\n\n"
	for name, c := range map[string]struct {
		code   string
		status int
	}{
		"holds":     {"func (l *Lock) Lock(int) {\n\tfor l.busy.Swap(true) {\n\t}\n}\n\nfunc (l *Lock) Unlock(int) { l.busy.Store(false) }\n", exitHolds},
		"fault":     {"func (l *Lock) Lock(int) {\n\tfor l.busy.Load() {\n\t}\n\tl.busy.Store(true)\n}\n\nfunc (l *Lock) Unlock(int) { l.busy.Store(false) }\n", exitViolated},
		"undecided": {"func (l *Lock) Lock(int) {\n\tmy := l.next.Add(1) - 1\n\tfor l.serving.Load() != my {\n\t}\n}\n\nfunc (l *Lock) Unlock(int) { l.serving.Add(1) }\n", exitUndecided},
	} {
		t.Run(name, func(t *testing.T) {
			module, dir := t.TempDir(), filepath.Join(t.TempDir(), "artifact")
			require.NoError(t, os.WriteFile(filepath.Join(module, "go.mod"), []byte("module l\n\ngo 1.26\n"), 0o666))
			require.NoError(t, os.WriteFile(filepath.Join(module, "l.go"), []byte(lock+c.code), 0o666))
			t.Chdir(module)
			_, diag, code := shmbench(t.Context(), "artifact", "-pkg", ".", "-against", "queue/mcs", "-o", dir)
			require.Equal(t, c.status, code, diag)
			require.FileExists(t, filepath.Join(dir, "README.md"))
			require.FileExists(t, filepath.Join(dir, "source", "l.go"))
			if c.status != exitHolds {
				return
			}
			_, diag, code = shmbench(t.Context(), "artifact", "-verify", dir)
			require.Equal(t, exitHolds, code, diag)
			file := filepath.Join(dir, "data", "check.json")
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			var document map[string]any
			require.NoError(t, json.Unmarshal(text, &document))
			document["results"].([]any)[0].(map[string]any)["bypass"] = 7
			text, err = json.Marshal(document)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(file, text, 0o666))
			out, _, code := shmbench(t.Context(), "artifact", "-verify", dir)
			require.Equal(t, exitViolated, code)
			require.Contains(t, out, "the verdicts were")
		})
	}
}
