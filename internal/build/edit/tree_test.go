package edit

import (
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// written returns a source tree with some files.
func written(t *testing.T, files map[string]string) *Tree {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		require.NoError(t, os.MkdirAll(filepath.Join(root, path.Dir(name)), 0o777))
		require.NoError(t, os.WriteFile(filepath.Join(root, name), []byte(text), 0o666))
	}
	return At(root)
}

// locks are two packages of a source tree: family f, and package g. A lock of f uses a type of g.
var locks = map[string]string{
	"f/a.go": `package f

import (
	"shmbench/g"
	"shmbench/shm"
)

func A(l shm.Layout, s, r shm.Stores) shm.Algorithm { return shm.Algorithm{Name: "f/a", New: newA} }

func newA(n int) shm.Mutex { return &aMutex{limit: least} }

type aMutex struct{ g g.Word; limit int }

func (m *aMutex) Lock(int) { m.g.Set(1) } // 1
`,
	"f/more.go": `package f

func (m *aMutex) Unlock(int) { m.g.Set(0) } // 2
`,
	"f/limits.go": `package f

const least, most = 1, 2
`,
	"f/others.go": `package f

import "shmbench/shm"

var other = shm.Algorithm{Name: "f/other"}

type holder struct{}

func (holder) Method() shm.Algorithm { return shm.Algorithm{Name: "f/b"} }

func unexported() shm.Algorithm { return shm.Algorithm{Name: "f/b"} }

func Title() string { return "f/b" }

func Nothing() { println("f/b") }

func Two() (shm.Algorithm, error) { return shm.Algorithm{Name: "f/b"}, nil }

func B() shm.Algorithm { return shm.Algorithm{Name: "f/b"} }

func Other() shm.Algorithm { return other }

func Node(n int) shm.Algorithm { return shm.Algorithm{Name: "f/node"} }

func Bound(l shm.Bound) shm.Algorithm { return shm.Algorithm{Name: "f/bound"} }
`,
	"f/f_test.go":      "package f\n\nfunc B() shm.Algorithm { return shm.Algorithm{Name: \"f/test\"} }\n",
	"f/f_plan9.go":     "package f\n\nfunc P() shm.Algorithm { return shm.Algorithm{Name: \"f/plan9\"} }\n",
	"g/word.go":        "package g\n\ntype Word struct{ bits uint32 }\n\nfunc (w *Word) Set(x uint32) { w.bits = x } // 3\n",
	"g/unrelated.go":   "package g\n\nfunc Unrelated() {}\n",
	"wrong/wrong.go":   "package wrong\n\nfunc {\n",
	"tests/a_test.go":  "package tests\n",
	"nogo/README.text": "\n",
}

// TestOpen: the tree of this checkout is that of the module.
func TestOpen(t *testing.T) {
	tree, err := Open(t.Context())
	require.NoError(t, err)
	require.FileExists(t, filepath.Join(tree.Root, "internal/build/edit/tree_test.go"))
}

// TestSpec: the call and the file of a specification, and the reason if there is none.
func TestSpec(t *testing.T) {
	tree := written(t, locks)
	for _, c := range []struct {
		lock            string
		released        bool
		call, file, err string
	}{
		{lock: "f/a", call: "A(shm.Packed, shm.Sequential, shm.Sequential)", file: "f/a.go"},
		{lock: "f/a", released: true, call: "A(shm.Packed, shm.Released, shm.Released)", file: "f/a.go"},
		{lock: "f/b", call: "B()", file: "f/others.go"},
		{lock: "f/other", call: "Other()", file: "f/others.go"},
		{lock: "f/node", err: `f/others.go: Node takes other parameters than shm.Layout and shm.Stores: expected a field "spec"`},
		{lock: "f/bound", err: `f/others.go: Bound takes other parameters than shm.Layout and shm.Stores: expected a field "spec"`},
		{lock: "f/test", err: `no exported function of package f mentions "f/test" and returns a shm.Algorithm: expected a field "spec"`},
		{lock: "f/plan9", err: `no exported function of package f mentions "f/plan9" and returns a shm.Algorithm: expected a field "spec"`},
		{lock: "wrong/a", err: "wrong/wrong.go:3"},
		{lock: "tests/a", err: "no Go source in tests of " + tree.Root},
		{lock: "nogo/a", err: "no Go source in nogo of " + tree.Root},
	} {
		call, file, err := tree.spec(c.lock, c.released)
		require.Equal(t, [2]string{c.call, c.file}, [2]string{call, file}, c.lock)
		if c.err != "" {
			require.ErrorContains(t, err, c.err, c.lock)
		} else {
			require.NoError(t, err, c.lock)
		}
	}
}

// TestFile: the file of a lock has its name, or else its specification.
func TestFile(t *testing.T) {
	tree := written(t, locks)
	for lock, want := range map[string]string{"f/a": "f/a.go", "f/more": "f/more.go", "f/b": "f/others.go"} {
		file, err := tree.File(lock)
		require.NoError(t, err, lock)
		require.Equal(t, want, file, lock)
	}
	_, err := tree.File("f/nosuch")
	require.ErrorContains(t, err, `no exported function of package f mentions "f/nosuch"`)
}

// TestFilesOfTree: edits and labels of files that are there, and the errors for those that are not.
func TestFilesOfTree(t *testing.T) {
	tree := written(t, locks)
	e, err := Parse("replace 3: x => x+1")
	require.NoError(t, err)
	text, replaced, err := tree.Apply("g/word.go", []Edit{e})
	require.NoError(t, err)
	require.Equal(t, strings.Replace(locks["g/word.go"], "= x", "= x+1", 1), text)
	require.Equal(t, []string{"x"}, replaced)
	labels, err := tree.Labels("g/word.go")
	require.NoError(t, err)
	require.Equal(t, []Labelled{{"3", "Word.Set", 5}}, labels)

	for name, says := range map[string]string{"f/nosuch.go": "there is no file f/nosuch.go", "f/f_test.go": "there is no file f/f_test.go", "no/no.go": "no Go source in no of "} {
		_, _, err := tree.Apply(name, []Edit{e})
		require.ErrorContains(t, err, says)
		_, err = tree.Labels(name)
		require.ErrorContains(t, err, says)
	}
}

// TestNeeded: the copy of a lock has the files that declare what it mentions, each once, and no others.
func TestNeeded(t *testing.T) {
	for _, c := range []struct {
		lock Lock
		want map[string][]string // the names of the files by package
		text map[string]string   // by package and file, a part of the text
	}{
		{
			lock: Lock{Name: "f/a", As: "mutants/m"},
			want: map[string][]string{"x/m": {"a.go f/a.go", "more.go f/more.go", "limits.go f/limits.go", "shmbench_edited.go "}, "x": {"edited.go "}},
			text: map[string]string{
				"x/m/a.go":               "m.g.Set(2)",
				"x/m/shmbench_edited.go": "package f\n\nimport \"shmbench/shm\"\n\n// Edited is the changed lock.\nfunc Edited() shm.Algorithm {\n\ta := A(shm.Packed, shm.Sequential, shm.Sequential)\n\ta.Name, a.Invariants = \"mutants/m\", nil\n",
			},
		},
		{
			lock: Lock{Name: "f/a", As: "mutants/m", Spec: "A(shm.Padded, most)", Released: true},
			want: map[string][]string{"x/m": {"a.go f/a.go", "limits.go f/limits.go", "more.go f/more.go", "shmbench_edited.go "}, "x": {"edited.go "}},
			text: map[string]string{"x/m/shmbench_edited.go": "a := A(shm.Padded, most)\n"},
		},
		{
			lock: Lock{Name: "f/a", As: "mutants/m", File: "g/word.go"},
			want: map[string][]string{
				"x/m/g": {"word.go g/word.go", "unrelated.go g/unrelated.go"},
				"x/m":   {"a.go f/a.go", "more.go f/more.go", "limits.go f/limits.go", "shmbench_edited.go "},
				"x":     {"edited.go "},
			},
			text: map[string]string{
				"x/m/g/word.go": "w.bits = x+1",
				"x/m/a.go":      `"shmbench/x/m/g"`,
			},
		},
	} {
		text := "replace 1: (1) => (2)"
		if c.lock.File != "" {
			text = "replace 3: = x => = x+1"
		}
		e, err := Parse(text)
		require.NoError(t, err)
		c.lock.Edits = []Edit{e}
		tree := written(t, locks)
		p, err := tree.Program("x", []Lock{c.lock}, "")
		require.NoError(t, err)
		got := map[string][]string{}
		for _, pkg := range p.Packages {
			at := strings.TrimPrefix(pkg.Path, "shmbench/")
			require.Equal(t, filepath.Join(tree.Root, at), pkg.Dir)
			for _, f := range pkg.Files {
				got[at] = append(got[at], f.Name+" "+f.Origin)
				require.Contains(t, f.Text, c.text[at+"/"+f.Name])
			}
		}
		require.Equal(t, c.want, got)
		require.Equal(t, "shmbench/x", p.Path)
		require.Equal(t, tree.Root, p.Root)
	}
}

// TestNoProgram: the error names the lock, its copy and what is wrong.
func TestNoProgram(t *testing.T) {
	e, err := Parse("delete 9")
	require.NoError(t, err)
	for says, l := range map[string]Lock{
		`no exported function of package f mentions "f/nosuch"`: {Name: "f/nosuch"},
		"no line has the label 9":                               {Name: "f/a", Edits: []Edit{e}},
		"there is no file f/nosuch.go":                          {Name: "f/a", File: "f/nosuch.go"},
		"no Go source in locks/no of ":                          {Name: "no/a", Spec: "A()", File: "f/a.go"},
		"spec: A(: ":                                            {Name: "f/a", Spec: "A("},
	} {
		l.As = "mutants/m"
		_, err := written(t, locks).Program("x", []Lock{l}, "")
		require.ErrorContains(t, err, "mutants/m, which is "+l.Name+" with edits: ")
		require.ErrorContains(t, err, says)
	}
}
