package main

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/cmd/shmbench/artifact"
	"shmbench/internal/cli"
	"shmbench/internal/machine/affinity"
	"shmbench/predict"
	"shmbench/predict/compiled"
	"shmbench/report/compare"
	"shmbench/shm"
	"shmbench/stress/kills"
)

// TestLevelsOf: the topology of processors has levels only if all packages and all cores are alike.
func TestLevelsOf(t *testing.T) {
	place := func(pkg, core int) affinity.Place { return affinity.Place{Package: pkg, Core: core} }
	for want, places := range map[string][]affinity.Place{
		"sockets=1,cores=1,threads=1": {place(0, 0)},
		"sockets=1,cores=2,threads=1": {place(0, 0), place(0, 1)},
		"sockets=1,cores=1,threads=2": {place(0, 0), place(0, 0)},
		"sockets=2,cores=1,threads=2": {place(0, 0), place(0, 0), place(1, 0), place(1, 0)},
		"sockets=2,cores=2,threads=1": {place(0, 0), place(0, 1), place(1, 0), place(1, 1)},
		"cores=3":                     {place(0, 0), place(0, 0), place(0, 1)},
		"cores=5":                     {place(0, 0), place(0, 1), place(0, 2), place(1, 0), place(1, 1)},
		"cores=4":                     {place(0, 0), place(0, 0), place(0, 0), place(0, 1)},
	} {
		require.Equal(t, want, levelsOf(places))
	}
}

// TestModuleFiles: an artifact has the Go files, the assembly, the module files and the license of a module, but nothing of hidden
// folders, of test data, of other modules and of itself.
func TestModuleFiles(t *testing.T) {
	root := t.TempDir()
	want := []string{"go.mod", "go.sum", "a.go", "a_test.go", "in/b.s", "LICENSE", "in/copying.txt", "in/deep/c.go"}
	for _, name := range append(want, "README.md", "a.golden", ".git/a.go", "testdata/a.go", "vendor/a.go", "other/go.mod", "other/a.go", "artifact/source/a.go", "in/testdata/a.go") {
		require.NoError(t, os.MkdirAll(filepath.Join(root, filepath.Dir(name)), 0o777))
		require.NoError(t, os.WriteFile(filepath.Join(root, name), []byte("text of "+name), 0o666))
	}
	files, err := moduleFiles(root, filepath.Join(root, "artifact"))
	require.NoError(t, err)
	var names []string
	for name, text := range files {
		names = append(names, name)
		require.Equal(t, "text of "+name, string(text))
	}
	require.ElementsMatch(t, want, names)
	_, err = moduleFiles(filepath.Join(root, "none"), root)
	require.ErrorIs(t, err, os.ErrNotExist)

	require.Equal(t, root, moduleRoot(filepath.Join(root, "in", "deep")))
	require.Equal(t, root, moduleRoot(root))
	require.Equal(t, filepath.Join(root, "other"), moduleRoot(filepath.Join(root, "other")))
	require.True(t, sameFolder(root, filepath.Join(root, "in", "..")))
	require.False(t, sameFolder(root, filepath.Join(root, "in")))
	require.False(t, sameFolder(filepath.Join(root, "none"), filepath.Join(root, "none")))
}

// TestUnpackArtifact: the command uses the copy of the user's lock.
func TestUnpackArtifact(t *testing.T) {
	files := map[string][]byte{"go.mod": []byte("module example.com/m\n\ngo 1.26\n"), "in/lock/lock.go": []byte("package lock\n")}
	for given, constructor := range map[string]string{".": "", "./lock:NewFast": ":NewFast"} {
		to := t.TempDir()
		c := &artifactCommand{Lock: given, Folder: "in/lock"}
		says, err := c.unpack(t.Context(), t.TempDir(), to, files)
		require.NoError(t, err)
		require.Empty(t, says)
		require.Equal(t, filepath.Join(to, "in", "lock")+constructor, c.Lock)
		for name, text := range files {
			there, err := os.ReadFile(filepath.Join(to, filepath.FromSlash(name)))
			require.NoError(t, err)
			require.Equal(t, string(text), string(there))
		}
	}
}

// TestVerifyStaysInArtifact: artifact verify builds nothing that is not in the folder source, and nothing that has changed.
func TestVerifyStaysInArtifact(t *testing.T) {
	const module = "module example.com/m\n\ngo 1.26\n"
	outside := filepath.Join(t.TempDir(), "lock.go")
	require.NoError(t, os.WriteFile(outside, []byte("package lock\n"), 0o666))
	for name, c := range map[string]struct {
		folder, module string
		change         func(t *testing.T, source string)
		out, diag      string
		code           int
	}{
		"folder":            {folder: "../../x", diag: `the folder "../../x" is not in the folder source`, code: exitUsage},
		"absolute":          {folder: filepath.ToSlash(filepath.Dir(outside)), diag: "is not in the folder source", code: exitUsage},
		"replaced":          {module: module + "\nreplace example.com/x => ../../x\n", diag: "go.mod replaces example.com/x by the folder ../../x", code: exitUsage},
		"replaced shmbench": {module: module + "\nreplace shmbench => ../../x\n", diag: "go.mod replaces shmbench by the folder ../../x", code: exitUsage},
		"changed file": {change: func(t *testing.T, source string) {
			require.NoError(t, os.WriteFile(filepath.Join(source, "lock.go"), nil, 0o666))
		}, out: "SHA256SUMS: source/lock.go; nothing was rerun\n", code: exitViolated},
		"linked file": {change: func(t *testing.T, source string) {
			require.NoError(t, os.Remove(filepath.Join(source, "lock.go")))
			link(t, outside, filepath.Join(source, "lock.go"))
		}, diag: "source/lock.go is no regular file", code: exitUsage},
		"linked folder": {change: func(t *testing.T, source string) {
			require.NoError(t, os.Rename(source, source+"2"))
			link(t, source+"2", source)
		}, diag: "source is no folder", code: exitUsage},
	} {
		t.Run(name, func(t *testing.T) {
			dir := finishedArtifact(t)
			made, err := readCommand(dir)
			require.NoError(t, err)
			made.Lock, made.Folder = ".", cmp.Or(c.folder, ".")
			require.NoError(t, made.write(dir))
			source := filepath.Join(dir, "source")
			require.NoError(t, os.RemoveAll(source))
			require.NoError(t, artifact.WriteSources(dir, map[string][]byte{"go.mod": []byte(cmp.Or(c.module, module)), "lock.go": []byte("package lock\n")}))
			if c.change != nil {
				c.change(t, source)
			}
			out, diag, code := shmbench(t.Context(), "artifact", "verify", dir)
			require.Equal(t, c.code, code, diag)
			require.Contains(t, out, c.out)
			require.Contains(t, diag, c.diag)
		})
	}
}

func link(t *testing.T, to, name string) {
	t.Helper()
	if err := os.Symlink(to, name); err != nil {
		t.Skip(err)
	}
}

// TestFigure: a figure has three digits or more.
func TestFigure(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 0.004: "0.00", 1: "1.00", 9.994: "9.99", 10: "10.0", 99.94: "99.9", 100: "100", 12345.6: "12346"} {
		require.Equal(t, want, figure(v))
	}
}

// predicted is a prediction for two locks, and for two workloads: a closed loop and an open one.
func predicted() *prediction {
	values := func(pairs ...any) (all []compiled.Value) {
		for i := 0; i < len(pairs); i += 2 {
			all = append(all, compiled.Value{Unit: pairs[i].(string), Value: pairs[i+1].(float64)})
		}
		return all
	}
	trial := func(lock string, w compiled.Workload) compiled.Trial {
		return compiled.Trial{Lock: lock, Workload: w, Options: compiled.Options{Accesses: 1000}}
	}
	two, open := compiled.Workload{Procs: 2}, compiled.Workload{Procs: 4, CS: time.Microsecond, Rate: 10}
	machine, _ := predict.New("lab", "cores=4", predict.CoresFirst, "")
	return &prediction{machine: machine, explain: true, points: []*point{
		{trial("a/slow", two), &compiled.Result{Passages: 7, Values: values("ns/op", 30.0, "jain", 1.0)}},
		{trial("a/none", two), nil},
		{trial("a/short", two), &compiled.Result{Short: true, Values: values("ns/op", 5.0)}},
		{trial("a/fast", two), &compiled.Result{Values: values("ns/op", 20.0, "handoff-ns", 12.0), Sites: []compiled.Site{
			{Source: "a.go:3", Register: "x[.]", Write: true, NS: 150, Transfers: map[string]float64{"memory": 0.5, "cores": 2}}, {Source: "a.go:4", NS: 2},
		}}},
		{trial("a/slow", open), &compiled.Result{Values: values("ns/op", 1.0, "mean-ns", 40.0)}},
		{trial("a/fast", open), &compiled.Result{Values: values("ns/op", 2.0, "mean-ns", 30.0)}},
	}}
}

// TestPredictedTables: a table for each workload ranks the locks, without those that are cut short, and explains the costs.
func TestPredictedTables(t *testing.T) {
	var b strings.Builder
	require.NoError(t, predicted().writeText(&b))
	text := b.String()
	for _, part := range []string{
		`\nprocs=2 cs=0 ncs=0\n.*\n +1 +a/fast +20.0 +1.00 +12.0 +- .*\n +2 +a/slow +30.0 +1.50 +- .* 1.00 +- +- *\n +\* +a/short +5.00 +- +-`,
		`\na/fast, 2 processes: cache lines moved in a passage, the longest waited for first\nns +source +register +for a +moves, by distance\n150 +a.go:3 +x\[\.\] +write +cores 2.00, memory 0.50\n2.00 +a.go:4 +\? +load`,
		`\na/slow, 2 processes: no cache line moves\n`,
		`\nprocs=4 .*\n.*\n +1 +a/fast +2.00 +1.00 +- +- +30.0 .*\n +2 +a/slow +1.00 +1.33 +- +- +40.0 `,
		`because 1000 accesses to shared memory \(-accesses\) ended before`,
	} {
		require.Regexp(t, part, text)
	}
	require.NotContains(t, text, "a/none")
	silent := predicted()
	silent.explain = false
	b.Reset()
	require.NoError(t, silent.writeText(&b))
	require.NotContains(t, b.String(), "waited for first")
	require.Zero(t, new(prediction).budget())

	b.Reset()
	require.NoError(t, predicted().writeJSON(&b))
	require.Equal(t, 5, strings.Count(b.String(), `"name": "Passage/alg=a-`))
	require.Contains(t, b.String(), `"most_accesses": 1000`)
	require.Contains(t, b.String(), `"complete": false`, "there is a point without result")
}

// TestSelfcheckText: the report of selfcheck ends at the first thing that is wrong, and says whether reruns agree.
func TestSelfcheckText(t *testing.T) {
	agreed := &compare.Agreement{Names: compare.Alarms{Comparisons: 2, Benchmarks: 4}, Reruns: compare.Alarms{Comparisons: 1, Benchmarks: 8}}
	alarmed := &compare.Agreement{Names: agreed.Names, Reruns: compare.Alarms{Comparisons: 1, Benchmarks: 8, Found: []string{"one", "two"}}}
	named := &compare.Agreement{Names: alarmed.Reruns, Reruns: agreed.Reruns}
	for _, c := range []struct {
		found selfchecked
		begin string
		more  string
		err   error
	}{
		{selfchecked{}, "", "", nil},
		{selfchecked{Figures: 3}, "3 figures of locks with a known answer are right\n", "", nil},
		{selfchecked{Figures: 3, Wrong: "2 and not 1", Agreement: agreed}, "A figure is wrong, and no figure of this program is to be believed: 2 and not 1\n", "", errViolated},
		{selfchecked{Figures: 3, Agreement: agreed}, "3 figures of locks with a known answer are right\n", "0 of 2 comparisons", nil},
		{selfchecked{Figures: 3, Agreement: alarmed}, "3 figures of locks with a known answer are right\n", "two", errViolated},
		{selfchecked{Figures: 3, Agreement: named}, "3 figures of locks with a known answer are right\n", "two", errViolated},
	} {
		var b strings.Builder
		require.NoError(t, c.found.writeText(&b))
		require.True(t, strings.HasPrefix(b.String(), c.begin), b.String())
		rest := strings.TrimPrefix(b.String(), c.begin)
		require.Contains(t, rest, c.more)
		require.Equal(t, c.more == "", rest == "", rest)
		require.Equal(t, c.err, c.found.verdict())
	}
}

// TestPrintKilled: a line for each lock says how many processes were killed in each section, and what was found.
func TestPrintKilled(t *testing.T) {
	good := &kills.Report{Algorithm: "a/good", Procs: 2, Passages: 70, Kills: [kills.Sections]int{1, 2, 3, 4, 5}}
	bad := &kills.Report{Algorithm: "a/bad", Procs: 3, Passages: 8, Found: &kills.Found{Oracle: "hung", Text: "process 0: entry"}}
	var b strings.Builder
	require.NoError(t, printKilled(env{Stdout: &b}, stressFlags{}, true, []*kills.Report{good, bad}))
	require.Regexp(t, `^lock +procs +passages +killed +remainder +recovery +entry +critical +exit +found\na/good +2 +70 +15 +1 +2 +3 +4 +5 +nothing\na/bad +3 +8 +0 +0 +0 +0 +0 +0 +hung\n\na/bad: hung\n  process 0: entry\n$`, b.String())
	require.NoError(t, killedVerdict([]*kills.Report{good}))
	require.NoError(t, killedVerdict(nil))
	require.Equal(t, errViolated, killedVerdict([]*kills.Report{good, bad}))
	b.Reset()
	require.NoError(t, printKilled(env{Stdout: &b}, stressFlags{json: true}, false, []*kills.Report{bad}))
	require.Contains(t, b.String(), `"complete": false`)
	require.Contains(t, b.String(), `"oracle": "hung"`)
}

// TestTrialsOfKills: the locks that recover are tested, without their variants, with three
// processes unless a number is given. A lock that is named is tested whatever it is.
func TestTrialsOfKills(t *testing.T) {
	f := stressFlags{seed: 5, deadline: time.Minute, kill: killing{most: 70}}
	trials, err := f.trials()
	require.NoError(t, err)
	tested := map[string]kills.Trial{}
	for _, trial := range trials {
		tested[trial.Lock] = trial
	}
	require.Len(t, tested, len(trials))
	for _, a := range catalog.All() {
		trial, is := tested[a.Name]
		require.Equal(t, a.Recovers() && a.VariantOf == "", is, a.Name)
		if is {
			require.Equal(t, kills.Trial{Lock: a.Name, Procs: min(max(3, a.MinProcs), a.MaxProcs), Kills: 70, Seed: 5, Deadline: time.Minute}, trial)
		}
	}

	f = stressFlags{selection: selection{alg: "queue/mcs"}, procs: cli.IntList{2, 5}, kill: killing{most: 9, system: true}}
	trials, err = f.trials()
	require.NoError(t, err)
	require.Len(t, trials, 2)
	for i, n := range f.procs {
		require.NotZero(t, trials[i].Seed, "it is drawn")
		trials[i].Seed = 0
		require.Equal(t, kills.Trial{Lock: "queue/mcs", Procs: n, Kills: 9, System: true}, trials[i])
	}
	f.selection.alg, f.procs = "burns/burns", cli.IntList{4}
	_, err = f.trials()
	require.ErrorContains(t, err, "burns/burns")
}

// TestSingleWriter: a lock without a list of its registers is not known to have one writer each.
func TestSingleWriter(t *testing.T) {
	one, several := shm.Registers{SingleWriter: true}, shm.Registers{}
	for _, c := range []struct {
		space shm.Space
		want  bool
	}{{nil, false}, {shm.Space{one}, true}, {shm.Space{one, one}, true}, {shm.Space{one, several}, false}, {shm.Space{several}, false}} {
		require.Equal(t, c.want, traits{Algorithm: shm.Algorithm{Space: c.space}}.singleWriter())
	}
}

// TestInside: a file is in a folder at any depth, also if it is not there yet and if a name is a symbolic link.
func TestInside(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.MkdirAll("data/deep", 0o777))
	require.NoError(t, os.MkdirAll("data2", 0o777))
	require.NoError(t, os.MkdirAll("..hidden", 0o777))
	if err := os.Symlink("data", "link"); err != nil {
		t.Skip(err)
	}
	for _, c := range []struct {
		folder, file string
		want         bool
	}{
		{"data", "data/a.txt", true}, {"data", "data/deep/a.txt", true}, {"data", "./data/../data/a.txt", true}, {"data", "link/a.txt", true}, {"link", "data/a.txt", true},
		{".", "a.txt", true}, {".", "..hidden/a.txt", true}, {"data", "a.txt", false}, {"data", "data2/a.txt", false}, {"data/deep", "data/a.txt", false},
		{"data", "nowhere/a.txt", false}, {"nowhere", "data/a.txt", false},
	} {
		require.Equal(t, c.want, inside(c.folder, c.file), "%s in %s", c.file, c.folder)
	}
}

// TestExplored: list says for how many processes check explores a lock, if that is fewer than it tries.
func TestExplored(t *testing.T) {
	for want, e := range map[string]shm.Explored{
		"":                                 {},
		"check explores n <= 3 by default": {Procs: 3, Mixed: 2},
		"check explores all modes for n <= 2 by default": {Mixed: 2},
	} {
		require.Equal(t, want, explored(shm.Algorithm{Explored: e}))
	}
}

// TestRecovery: what a lock claims where processes crash has the strongest word.
func TestRecovery(t *testing.T) {
	require.Empty(t, recovery(nil))
	for _, c := range []struct {
		claims shm.Recovery
		want   string
	}{
		{shm.Recovery{}, "deadlock-free; steps"},
		{shm.Recovery{StarvationFree: true}, "starvation-free; steps"},
		{shm.Recovery{StarvationFree: true, StronglyStarvationFree: true}, "strongly starvation-free; steps"},
		{shm.Recovery{FCFS: true}, "deadlock-free, first-come-first-served until a waiting process crashes; steps"},
		{shm.Recovery{FCFS: true, StronglyFCFS: true, SystemWide: true}, "deadlock-free, first-come-first-served also if a waiting process crashes, if all processes crash at once; steps"},
	} {
		require.True(t, strings.HasPrefix(recovery(&c.claims), c.want+" of re-entry "), recovery(&c.claims))
	}
}

// TestReadCommand: a file that is no command is named.
func TestReadCommand(t *testing.T) {
	dir := t.TempDir()
	_, err := readCommand(dir)
	require.ErrorIs(t, err, os.ErrNotExist)
	require.NoError(t, os.WriteFile(filepath.Join(dir, commandFile), []byte("no"), 0o666))
	_, err = readCommand(dir)
	require.ErrorContains(t, err, "command.json: ")
	require.False(t, errors.Is(err, cli.ErrViolated))
}
