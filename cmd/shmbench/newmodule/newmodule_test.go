package newmodule

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/testkit/sample"
	"shmbench/internal/testkit/treetest"
)

var update = flag.Bool("update", false, "write examples/ownlock")

// TestExample: examples/ownlock is what "shmbench new examples/ownlock" writes.
func TestExample(t *testing.T) {
	t.Chdir("../../..")
	o := Options{Dir: filepath.Join("examples", "ownlock"), Kind: "mutex"}
	require.NoError(t, o.named())
	c, err := o.checkout()
	require.NoError(t, err)
	files, err := render(t.Context(), o, c)
	require.NoError(t, err)
	if *update {
		require.NoError(t, write(o.Dir, files))
	}
	var names, there []string
	for _, f := range files {
		text, err := os.ReadFile(filepath.Join(o.Dir, f.name))
		require.NoError(t, err)
		require.Equal(t, string(f.text), string(text), "go test ./cmd/shmbench/newmodule -run TestExample -update writes %s", f.name)
		names = append(names, f.name)
	}
	entries, err := os.ReadDir(o.Dir)
	require.NoError(t, err)
	for _, entry := range entries {
		there = append(there, entry.Name())
	}
	require.ElementsMatch(t, names, there)
}

// TestInvariant: the invariant of each kind names the register that it reads, with its value.
func TestInvariant(t *testing.T) {
	c, err := (&Options{Dir: "mine", Checkout: "../../.."}).checkout()
	require.NoError(t, err)
	for _, kind := range Kinds {
		files, err := render(t.Context(), Options{Dir: "mine", Kind: kind, name: "mine"}, c)
		require.NoError(t, err)
		lock := string(files[slices.IndexFunc(files, func(f file) bool { return f.name == "mine.go" })].text)
		register := "busy"
		if kind == "reader-writer" {
			register = "state"
		}
		require.Contains(t, lock, `Invariants: []shm.Invariant{{Name: "`+register+`",`, kind)
		require.Contains(t, lock, `"`+register+` is %v, and %d processes are in their critical sections", `+register+`, inside)`, kind)
	}
}

// TestWrite: a module of each kind passes its vet and its tests as it is, its
// benchmarks, and all of it under the race detector. Its tests fail when the lock is
// broken.
func TestWrite(t *testing.T) {
	for _, kind := range Kinds {
		t.Run(kind, func(t *testing.T) {
			sample.NeedsAll(t)
			dir := filepath.Join(t.TempDir(), "my folder", "mylock")
			m, err := Write(t.Context(), Options{Dir: dir, Kind: kind})
			require.NoError(t, err)
			require.Equal(t, []string{"README.md", "go.mod", "go.sum", "mylock.go", "mylock_test.go"}, m.Files)
			inModule(t, dir, "vet", "./...")
			inModule(t, dir, "test", "./...")
			out := inModule(t, dir, "test", "-run", "^$", "-bench", ".", "-benchtime", "1x", "./...")
			require.Equal(t, 3, strings.Count(out, "\nBenchmarkPassage/alg=mylock-mylock/"), out)
			if treetest.HasRace(t) {
				inModule(t, dir, "test", "-race", "./...")
			}
			breakLock(t, filepath.Join(dir, "mylock.go"))
			failing := exec.Command("go", "test", "-run", "TestEveryInterleaving", "./...")
			failing.Dir = dir
			told, err := failing.CombinedOutput()
			require.Error(t, err)
			require.Contains(t, string(told), "mutual exclusion is violated")
		})
	}
}

// inModule runs the go command in a folder and returns its output.
func inModule(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%v:\n%s", args, out)
	return string(out)
}

// breakLock makes Lock look whether the lock is free, and then take it.
func breakLock(t *testing.T, file string) {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	broken := strings.NewReplacer(
		"func (l *Mutex) Lock(pid int) {\n\tfor l.busy.Swap(true) { // 1\n", "func (l *Mutex) Lock(pid int) {\n\tdefer l.busy.Store(true)\n\tfor l.busy.Load() { // 1\n",
		"!l.state.CompareAndSwap(0, writing)", "l.state.Swap(writing) > writing").Replace(string(text))
	require.NotEqual(t, string(text), broken)
	require.NoError(t, os.WriteFile(file, []byte(broken), 0o666))
}

// TestReplace: go.mod has the checkout as it was given, or so that it is found.
func TestReplace(t *testing.T) {
	root, err := filepath.Abs("../../..")
	require.NoError(t, err)
	parent := t.TempDir()
	t.Chdir(parent)
	require.NoError(t, os.Symlink(root, "shmbench"))
	for _, c := range []struct{ dir, given, want string }{
		{"a", root, root},
		{"b", "shmbench", "../shmbench"},
		{"c/d", "./shmbench", "../../shmbench"},
		{filepath.Join(root, "examples", "none"), root, "../.."},
	} {
		got, err := seenFrom(c.dir, c.given)
		require.NoError(t, err)
		require.Equal(t, c.want, got, c)
	}
	_, err = Write(t.Context(), Options{Dir: "mine", Kind: "mutex", Checkout: "shmbench"})
	require.NoError(t, err)
	text, err := os.ReadFile(filepath.Join("mine", "go.mod"))
	require.NoError(t, err)
	require.Contains(t, string(text), "\nreplace shmbench => ../shmbench\n")
	inModule(t, "mine", "list", "-deps", "-test", "./...")
}

// TestWrong: what is wrong is said in one line that names the flag, and nothing is
// written.
func TestWrong(t *testing.T) {
	root, err := filepath.Abs("../../..")
	require.NoError(t, err)
	t.Chdir(t.TempDir())
	require.NoError(t, os.MkdirAll("full", 0o777))
	require.NoError(t, os.WriteFile("full/notes", nil, 0o666))
	require.NoError(t, os.MkdirAll("other", 0o777))
	require.NoError(t, os.WriteFile("other/go.mod", []byte("module example.com/other\n"), 0o666))
	for says, o := range map[string]Options{
		"-kind spin: the kind must be mutex, try, abortable or reader-writer":                {Dir: "a", Kind: "spin", Checkout: root},
		"the folder My-Lock gives the package its name: the name must be lower-case letters": {Dir: "My-Lock", Kind: "try", Checkout: root},
		"the folder func gives the package its name: the name means something else in Go":    {Dir: "func", Kind: "try", Checkout: root},
		"the name means something else in Go or in the module's files":                       {Dir: "a/check", Kind: "try", Checkout: root},
		"the folder my-lock gives the package its name: the name must be lower-case":         {Dir: "my-lock", Kind: "try", Checkout: root},
		"full is not empty: it has notes; give a folder that is new or empty":                {Dir: "full", Kind: "try", Checkout: root},
		"full/notes is no folder that can be read":                                           {Dir: "full/notes", Kind: "try", Checkout: root},
		"there is no checkout of shmbench around the current folder":                         {Dir: "a", Kind: "try"},
		"-replace nowhere: it must be the folder of a checkout of shmbench: open nowhere":    {Dir: "a", Kind: "try", Checkout: "nowhere"},
		"-replace other: it must be the folder of a checkout of shmbench: its go.mod is of":  {Dir: "a", Kind: "try", Checkout: "other"},
	} {
		before := listing(t)
		_, err := Write(t.Context(), o)
		require.ErrorContains(t, err, says)
		require.NotContains(t, err.Error(), "\n")
		require.Equal(t, before, listing(t))
	}
}

// listing is what is in the current folder and below.
func listing(t *testing.T) (names []string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(".", func(path string, _ os.DirEntry, err error) error {
		names = append(names, path)
		return err
	}))
	slices.Sort(names)
	return names
}

// TestWriteAllOrNone: if one file cannot be written, no file is left; the files of before are not touched.
func TestWriteAllOrNone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "mine")
	files := []file{{"a", []byte("one")}, {"b", []byte("two")}}
	require.NoError(t, write(dir, files))
	for _, f := range files {
		text, err := os.ReadFile(filepath.Join(dir, f.name))
		require.NoError(t, err)
		require.Equal(t, string(f.text), string(text))
	}
	dir = t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "b", "in"), 0o777))
	require.Error(t, write(dir, append(files, file{"c", nil})))
	require.NoFileExists(t, filepath.Join(dir, "a"))
	require.NoFileExists(t, filepath.Join(dir, "c"))
	require.DirExists(t, filepath.Join(dir, "b", "in"))
	require.Error(t, write(filepath.Join(os.Args[0], "in a file"), files))
}

// TestQuoted: a path stands in quotes if a shell would change it.
func TestQuoted(t *testing.T) {
	for path, want := range map[string]string{"../lab": "../lab", "../my lab": "'../my lab'", "it's": `'it'\''s'`, "a$b": "'a$b'", "": ""} {
		require.Equal(t, want, quoted(path))
	}
}
