package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/modfile"

	"shmbench/internal/testkit/sample"
	"shmbench/internal/testkit/treetest"
)

// TestRename: under its new path the tree, with the modules inside of it, is built and
// vetted, nothing in it has the old path, and it can be renamed again.
func TestRename(t *testing.T) {
	sample.NeedsAll(t)
	root, err := filepath.Abs("../../..")
	require.NoError(t, err)
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	require.NoError(t, err)
	old := modfile.ModulePath(text)
	t.Chdir(t.TempDir())
	treetest.Copy(t, root, ".")

	for _, path := range []string{"example.com/lab/mutual.exclusion", "example.org/again"} {
		changed, err := run(".", []string{path})
		require.NoError(t, err)
		require.Greater(t, len(changed), 300)
		inCopy(t, ".", "list", "-deps", "-test", "./...")
		require.Equal(t, path, strings.TrimSpace(inCopy(t, ".", "list", "-m")))
		for _, file := range changed {
			if filepath.Base(file) == "go.mod" && file != "go.mod" {
				inCopy(t, filepath.Dir(file), "list", "-deps", "./...")
			}
		}
		unformatted, err := exec.Command("gofmt", "-l", ".").CombinedOutput()
		require.NoError(t, err)
		require.Empty(t, string(unformatted))
		require.Empty(t, occurrences(t, old))
		old = path
	}
	inCopy(t, ".", "build", "./...")
	inCopy(t, ".", "vet", "./...")
	inCopy(t, ".", "test", "./internal/build/sources", "./cmd/shmbench/guest", "./cmd/shmbench/newmodule", "./catalog", "-run", "Import|Famil|Test[DFW]|TestExample")
	inCopy(t, ".", "test", "./cmd/shmbench", "-run", "TestScripts/(guest|anywhere|newcomer)")
}

// occurrences are the places in the tree that have a path, as imports do.
func occurrences(t *testing.T, path string) (places []string) {
	t.Helper()
	importing := regexp.MustCompile(`"` + regexp.QuoteMeta(path) + `/[a-z]|^module ` + regexp.QuoteMeta(path) + `\b`)
	require.NoError(t, filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(name)
		if found := importing.Find(text); found != nil {
			places = append(places, name+": "+string(found))
		}
		return err
	}))
	return places
}

// inCopy runs the go command in a folder of the copy.
func inCopy(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	var messages string
	if exit, ok := err.(*exec.ExitError); ok {
		messages = string(exit.Stderr)
	}
	require.NoError(t, err, "%v in %s:\n%s%s", args, dir, out, messages)
	return string(out)
}

// TestText: what is a path of the module is renamed, and what is a word or a file is not.
func TestText(t *testing.T) {
	r := newRenamer("shmbench", "example.com/x")
	for old, want := range map[string]string{
		"import \"shmbench/shm\"":                      "import \"example.com/x/shm\"",
		"\t\"shmbench\"\n":                             "\tshmbench \"example.com/x\"\n",
		"\tlab \"shmbench\"\n":                         "\tlab \"example.com/x\"\n",
		"CutPrefix(path, \"shmbench/\")":               "CutPrefix(path, \"example.com/x/\")",
		"grep '^shmbench/'":                            "grep '^example.com/x/'",
		"shmbench/locks/queue.(*MCSMutex).Lock":        "example.com/x/locks/queue.(*MCSMutex).Lock",
		"\"a\\nshmbench/queue\"":                       "\"a\\nexample.com/x/queue\"",
		"go test shmbench/tas -run TestX":              "go test example.com/x/tas -run TestX",
		"-ldflags=-X shmbench/internal/p.on=yes":       "-ldflags=-X example.com/x/internal/p.on=yes",
		"module shmbench\n":                            "module example.com/x\n",
		"module shmbench/report/browser\n":             "module example.com/x/report/browser\n",
		"require shmbench v0.0.0\n":                    "require example.com/x v0.0.0\n",
		"\tshmbench v0.0.0\n":                          "\texample.com/x v0.0.0\n",
		"replace shmbench => ../..":                    "replace example.com/x => ../..",
		"-require shmbench@v0.0.0 -replace shmbench=a": "-require example.com/x@v0.0.0 -replace example.com/x=a",
		"pkg: shmbench/bench\n":                        "pkg: example.com/x/bench\n",

		"./cmd/shmbench/main.go":                   "./cmd/shmbench/main.go",
		"$WORK/cache/shmbench/source":              "$WORK/cache/shmbench/source",
		"github.com/other/shmbench/tree":           "github.com/other/shmbench/tree",
		"cli.Program{Name: \"shmbench\", Grace: 1": "cli.Program{Name: \"shmbench\", Grace: 1",
		"filepath.Join(folder, \"shmbench\")":      "filepath.Join(folder, \"shmbench\")",
		"shmbench list -json":                      "shmbench list -json",
		"my-shmbench/x":                            "my-shmbench/x",
	} {
		require.Equal(t, want, r.text(old, true))
	}
}

// TestRefuses: a path that nothing can be published under is refused, and nothing is
// changed.
func TestRefuses(t *testing.T) {
	t.Chdir(t.TempDir())
	_, err := run(".", []string{"example.com/x"})
	require.ErrorContains(t, err, "this is not the root of a checkout")
	require.NoError(t, os.WriteFile("go.mod", []byte("module example.com/old\n"), 0o666))
	for path, says := range map[string]string{
		"lab":             "lab: this is no path of a module that can be published: missing dot in first path element",
		"example.com/a b": "this is no path of a module that can be published: invalid char ' '",
		"example.com/old": "the path of the module is example.com/old already",
	} {
		_, err := run(".", []string{path})
		require.ErrorContains(t, err, says)
		require.NotContains(t, err.Error(), "\n")
	}
	_, err = run(".", nil)
	require.ErrorContains(t, err, "give the one new path")
	text, err := os.ReadFile("go.mod")
	require.NoError(t, err)
	require.Equal(t, "module example.com/old\n", string(text))
}

// TestRenameFiles: the files of a small tree that have the path are changed and keep their permissions; no other file
// is written.
func TestRenameFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	files := map[string][2]string{
		"go.mod":       {"module shmbench\n\ngo 1.26\n", "module example.com/x\n\ngo 1.26\n"},
		"in/go.mod":    {"module shmbench/in\n\nrequire shmbench v0.0.0\n\nreplace shmbench => ..\n", "module example.com/x/in\n\nrequire example.com/x v0.0.0\n\nreplace example.com/x => ..\n"},
		"a.go":         {"package a\n\nimport (\n\t\"shmbench\"\n)\n\nvar x = map[string]int{\n\t\"shmbench/a\": 1,\n\t\"b\":          2,\n}\n", "package a\n\nimport (\n\tshmbench \"example.com/x\"\n)\n\nvar x = map[string]int{\n\t\"example.com/x/a\": 1,\n\t\"b\":               2,\n}\n"},
		"run.sh":       {"go run shmbench/cmd/shmbench\n\t\"shmbench\"\n", "go run example.com/x/cmd/shmbench\n\t\"shmbench\"\n"},
		"words.md":     {"shmbench list\n", "shmbench list\n"},
		"binary":       {"\x00 shmbench/a\n", "\x00 shmbench/a\n"},
		".git/config":  {"module shmbench\n", "module shmbench\n"},
		"other/a.text": {"nothing\n", "nothing\n"},
	}
	for name, text := range files {
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o777))
		require.NoError(t, os.WriteFile(name, []byte(text[0]), 0o640))
	}
	require.NoError(t, os.Chmod("run.sh", 0o750))
	changed, err := run(".", []string{"example.com/x"})
	require.NoError(t, err)
	require.Equal(t, []string{"a.go", "go.mod", filepath.FromSlash("in/go.mod"), "run.sh"}, changed)
	for name, text := range files {
		is, err := os.ReadFile(name)
		require.NoError(t, err)
		require.Equal(t, text[1], string(is), name)
	}
	info, err := os.Stat("run.sh")
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o750), info.Mode().Perm())

	require.NoError(t, os.WriteFile("wrong.go", []byte("package example.com/x/a"), 0o666))
	_, err = run(".", []string{"example.com/y"})
	require.ErrorContains(t, err, "wrong.go: ")
}
