package main

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/cli"
	"shmbench/internal/testkit/sample"
)

// finishedArtifact returns a folder in which every part of an artifact of tas/tas is done.
func finishedArtifact(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	finish(t, dir, artifactCommand{Lock: "tas/tas", Against: "tas/ttas"}, "")
	return dir
}

// finish makes the folder of an artifact, and the files of all parts but one with the results of another lock.
func finish(t *testing.T, dir string, c artifactCommand, except string) {
	t.Helper()
	c.Procs, c.Version = "2,3", cli.Version()
	f := &artifactFlags{artifactCommand: c, dir: dir}
	files, err := f.sources(t.Context(), dir)
	require.NoError(t, err)
	require.NoError(t, f.settle(files))
	run, err := os.ReadFile(results(t, 100))
	require.NoError(t, err)
	data := filepath.Join(dir, "data")
	for _, p := range f.parts(data) {
		if p.name == except {
			continue
		}
		text := string(run)
		if filepath.Ext(p.file) == ".json" {
			text = holding
		}
		require.NoError(t, os.WriteFile(filepath.Join(data, p.file), []byte(text), 0o666))
	}
}

const holding = `{"results": [{"algorithm": "tas/tas", "n": 2, "memory": "sc", "mutual_exclusion": "holds", "deadlock_freedom": "holds"}]}`

// TestArtifactOfAnUnfinishedRun: a measurement with a missing sample leaves an artifact open.
func TestArtifactOfAnUnfinishedRun(t *testing.T) {
	dir := finishedArtifact(t)
	file, err := os.OpenFile(filepath.Join(dir, "data", "run.txt"), os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = file.WriteString("FAIL\n# ended: 8 of 9 samples were taken\n")
	require.NoError(t, err)
	require.NoError(t, file.Close())
	_, diag, code := shmbench(t.Context(), "artifact", "-o", dir, "tas/tas", "-against", "tas/ttas")
	require.Equal(t, exitUndecided, code)
	require.Contains(t, diag, "run.txt is not complete: 8 of 9 samples were taken\n")
}

// TestArtifact: parts that are done are not done again, and a lock that fails says so.
func TestArtifact(t *testing.T) {
	dir := finishedArtifact(t)
	again := []string{"artifact", "-o", dir, "tas/tas", "-against", "tas/ttas,tas/tas"}
	out, diag, code := shmbench(t.Context(), again...)
	require.Equal(t, exitHolds, code, diag)
	require.Contains(t, out, "README.md says how to rerun everything")
	require.Contains(t, diag, "1 of 8, proofs, counterexamples and witnesses: done before")
	for _, file := range []string{"README.md", "claims.json", "comparison.tsv", "predictions.tsv", "tables.tex", "references.bib", "plot.svg", "plot.pdf", "rerun.sh", "SHA256SUMS",
		"source/tas/tas.go", "source/LICENSE", "source/go.mod"} {
		require.FileExists(t, filepath.Join(dir, file))
	}
	_, before, err := openArtifact(t.Context(), dir)
	require.NoError(t, err)
	var says strings.Builder
	require.NoError(t, sayDifferences(&says, "d", before, before, nil))
	require.Regexp(t, `^d: 2 verdicts are equal, and no order of \d+ comparisons? is reversed`, says.String())
	require.NoError(t, os.WriteFile(filepath.Join(dir, "data", "check.json"), []byte(strings.Replace(holding, "holds", "violated", 1)), 0o666))
	_, after, err := openArtifact(t.Context(), dir)
	require.NoError(t, err)
	require.ErrorIs(t, sayDifferences(io.Discard, "d", before, after, nil), errViolated)
	out, _, code = shmbench(t.Context(), again...)
	require.Equal(t, exitViolated, code)
	require.Contains(t, out, "the lock fails its check")
	readme, err := os.ReadFile(filepath.Join(dir, "README.md"))
	require.NoError(t, err)
	require.Contains(t, string(readme), "**The lock fails its check.**")
	require.Contains(t, string(readme), "- tas/tas, n = 2: mutual exclusion is violated")
}

// TestArtifactRefuses: a folder of another command, program or source, a lock that there is not, and an artifact that
// is none or not complete.
func TestArtifactRefuses(t *testing.T) {
	dir, begun, other := finishedArtifact(t), finishedArtifact(t), finishedArtifact(t)
	require.NoError(t, os.Remove(filepath.Join(begun, "data", "check.json")))
	c, err := readCommand(other)
	require.NoError(t, err)
	c.Version = "an older one"
	require.NoError(t, c.write(other))
	changed := finishedArtifact(t)
	require.NoError(t, os.WriteFile(filepath.Join(changed, "SHA256SUMS"), nil, 0o666))
	for says, args := range map[string][]string{
		"has the artifact of another command":             {"-o", dir, "tas/ttas", "-against", "tas/tas"},
		"was begun by an older one":                       {"-o", other, "tas/tas", "-against", "tas/ttas"},
		"the sources of the lock have changed":            {"-o", changed, "tas/tas", "-against", "tas/ttas"},
		"artifact: tas/nope: there is no lock":            {"-o", dir, "tas/nope"},
		"-against nope: there is no lock":                 {"-o", dir, "tas/tas", "-against", "nope"},
		"name another lock than the one that":             {"-o", dir, "tas/tas", "-against", "tas/tas"},
		"give the one name of a lock, or the path of its": {"-o", dir},
		"say with -o what folder to write":                {"tas/tas"},
		"it is no artifact":                               {"verify", t.TempDir()},
		"not complete, and its command continues it: ":    {"verify", begun},
	} {
		_, diag, code := shmbench(t.Context(), append([]string{"artifact"}, args...)...)
		require.Equal(t, exitUsage, code, diag)
		require.Contains(t, diag, says)
	}
}

// TestArtifactOfForeignLocks: a lock that holds, one with a fault and one that is undecided, in modules of their
// own. Of the first one, artifact verify finds a verdict that is another one, and no other difference.
func TestArtifactOfForeignLocks(t *testing.T) {
	sample.NeedsAll(t)
	const lock = "package l\n\nimport \"sync/atomic\"\n\ntype Lock struct{ busy atomic.Bool; passages [3]atomic.Uint32 }\n\nfunc New(n int) *Lock { return new(Lock) }\n\n"
	for name, c := range map[string]struct {
		code   string
		status int
	}{
		"holds": {"func (l *Lock) Lock(int) {\n\tfor l.busy.Swap(true) {\n\t}\n}\n\nfunc (l *Lock) Unlock(int) { l.busy.Store(false) }\n", exitHolds},
		"fault": {"func (l *Lock) Lock(int) {\n\tfor l.busy.Load() {\n\t}\n\tl.busy.Store(true)\n}\n\nfunc (l *Lock) Unlock(int) { l.busy.Store(false) }\n", exitViolated},
		// Each process counts its passages up to 128, so that two processes have few states and three have millions.
		"undecided": {"func (l *Lock) Lock(i int) {\n\tfor l.busy.Swap(true) {\n\t}\n\tfor l.passages[(i+1)%3].Load() > 127 {\n\t}\n}\n\nfunc (l *Lock) Unlock(i int) {\n\tl.passages[i].Store((l.passages[i].Load() + 1) % 128)\n\tl.busy.Store(false)\n}\n", exitUndecided},
	} {
		t.Run(name, func(t *testing.T) {
			module, dir := t.TempDir(), filepath.Join(t.TempDir(), "artifact")
			require.NoError(t, os.WriteFile(filepath.Join(module, "go.mod"), []byte("module l\n\ngo 1.26\n"), 0o666))
			require.NoError(t, os.WriteFile(filepath.Join(module, "l.go"), []byte(lock+c.code), 0o666))
			t.Chdir(module)
			if c.status != exitHolds { // what is measured does not count there
				finish(t, dir, artifactCommand{Lock: ".", Against: "queue/mcs"}, "check")
			}
			_, diag, code := shmbench(t.Context(), "artifact", ".", "-against", "queue/mcs", "-o", dir)
			require.Equal(t, c.status, code, diag)
			require.FileExists(t, filepath.Join(dir, "README.md"))
			require.FileExists(t, filepath.Join(dir, "source", "l.go"))
			if c.status == exitUndecided {
				readme, err := os.ReadFile(filepath.Join(dir, "README.md"))
				require.NoError(t, err)
				require.Contains(t, string(readme), "- l/New, n = 3: ")
				require.NotContains(t, string(readme), "- l/New, n = 2: ")
			}
			if c.status != exitHolds {
				return
			}
			// The reviewer has the folder alone.
			require.NoError(t, os.Remove(filepath.Join(module, "l.go")))
			t.Chdir(t.TempDir())
			file := filepath.Join(dir, "data", "check.json")
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			var document map[string]any
			require.NoError(t, json.Unmarshal(text, &document))
			document["results"].([]any)[0].(map[string]any)["bypass"] = 7
			text, err = json.Marshal(document)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(file, text, 0o666))
			out, _, code := shmbench(t.Context(), "artifact", "verify", dir)
			require.Equal(t, exitViolated, code)
			require.Regexp(t, `^l/New, n = 2: bypass was 7, and is \S+\n$`, out, "everything else is as it was")
		})
	}
}

// TestArtifactReads: the data of an artifact belong to the lock of the catalog, or to the lock of the package under the name that it has there.
func TestArtifactReads(t *testing.T) {
	costs := func(locks ...string) (text string) {
		for i, lock := range locks {
			text += strings.Replace(resultsOf(lock), "Unit ns/op better=lower\n", "", min(i, 1))
		}
		return text
	}
	for _, c := range []struct {
		lock  string
		files map[string]string
		want  string
		costs int
		cited int
	}{
		{"tas/tas", map[string]string{"check.json": holding, "run.txt": costs("tas-tas", "tas-ttas")}, "tas/tas", 2, 2},
		{"tas/tas", map[string]string{"check.json": holding, "run.txt": costs("my-lock", "tas-ttas")}, "tas/tas", 2, 2},
		{".", map[string]string{"check.json": holding, "run.txt": costs("tas-ttas", "my-lock")}, "my/lock", 2, 1},
		{".", map[string]string{"check.json": holding, "run.txt": costs("tas-ttas")}, "tas/tas", 1, 1},
		{".", map[string]string{"check.json": holding}, "tas/tas", 0, 1},
		{".", map[string]string{"check.json": `{"results": []}`}, ".", 0, 1},
	} {
		dir := t.TempDir()
		for name, text := range c.files {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
		}
		command := &artifactCommand{Lock: c.lock, Against: "tas/ttas", Procs: "2", Version: "v1"}
		in, err := command.read(t.Context(), dir)
		require.NoError(t, err)
		require.Equal(t, c.want, in.Lock)
		require.Len(t, in.Costs, c.costs)
		require.Len(t, in.Cited, c.cited)
		require.Empty(t, in.Others)
		require.Empty(t, in.Predictions)
		require.Equal(t, "v1", in.Version)
		require.Equal(t, "shmbench artifact "+c.lock+" -against tas/ttas -procs 2 -o DIR", in.Command)

		for _, file := range []string{"predict-here.txt", "predict-here-lock.txt"} {
			require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(costs("tas-tas", "tas-ttas", "my-lock")), 0o666))
		}
		require.NoError(t, os.WriteFile(filepath.Join(dir, "check-against.json"), []byte(holding), 0o666))
		in, err = command.read(t.Context(), dir)
		require.NoError(t, err)
		require.Len(t, in.Predictions, 2*c.costs, "of both files")
		require.Len(t, in.Others, 1)

		require.NoError(t, command.write(dir))
		back, err := readCommand(dir)
		require.NoError(t, err)
		require.Equal(t, command, back)
		for _, file := range []string{"check-against.json", "check.json"} {
			require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte("no"), 0o666))
			_, err = command.read(t.Context(), dir)
			require.ErrorContains(t, err, "the verdicts are no document of shmbench check")
		}
		require.NoError(t, os.Remove(filepath.Join(dir, "check.json")))
		_, err = command.read(t.Context(), dir)
		require.ErrorIs(t, err, os.ErrNotExist)
	}
}
