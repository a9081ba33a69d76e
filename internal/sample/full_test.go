//go:build unix

package sample

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// looks matches what a test calls that does more with the flag -all.
var looks = regexp.MustCompile(`\bsample\.(All|Has|Of|Chosen|Whole|NeedsAll)\(|\bconform\.Run\(|\*all\b`)

// TestEverySampleIsTestedInFull: a line of .ci/run runs each test that does more with -all, with it
// or with "$share", which is -part=K/N or -all.
func TestEverySampleIsTestedInFull(t *testing.T) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	list := exec.Command("bash", filepath.Join(root, ".ci", "list"), "all")
	out, err := list.Output()
	require.NoError(t, err)
	whole := strings.Fields(string(out))
	require.NotEmpty(t, whole)
	script, err := os.ReadFile(filepath.Join(root, ".ci", "run"))
	require.NoError(t, err)
	seen := 0
	for pkg, tests := range sampled(t, root) {
		for _, test := range tests {
			seen++
			require.True(t, slices.Contains(whole, pkg) || runsInFull(t, string(script), pkg, test),
				"%s: no line of .ci/run runs %s with \"$share\" or -all", pkg, test)
		}
	}
	require.Greater(t, seen, 20)
}

// TestALineThatRunsATestInFull: the package, the test and the flag must stand on one line.
func TestALineThatRunsATestInFull(t *testing.T) {
	script := strings.ReplaceAll("go test ./a -run 'TestX$|TestY' $\ngo test ./b $\n# go test ./c $\ngo test ./a -run TestZ\ngo -C d test ./... -all\n", " $\n", " \"$share\"\n")
	for _, c := range []struct {
		pkg, test string
		runs      bool
	}{
		{"./a", "TestX", true}, {"./a", "TestXY", false}, {"./a", "TestYes", true}, {"./a", "TestZ", false},
		{"./b", "TestAny", true}, {"./d", "TestAny", true}, {"./d/in", "TestAny", true}, {"./dd", "TestAny", false}, {"./c", "TestAny", false}, {"./aa", "TestX", false},
	} {
		require.Equal(t, c.runs, runsInFull(t, script, c.pkg, c.test), "%+v", c)
	}
}

// runsInFull reports whether a line of a script runs a test of a package with -all or "$share".
func runsInFull(t *testing.T, script, pkg, test string) bool {
	flag := regexp.MustCompile(` -run (?:'([^']*)'|(\S+))`)
	for line := range strings.Lines(script) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "#" || !slices.Contains(words, `"$share"`) && !slices.Contains(words, "-all") {
			continue
		}
		if !slices.ContainsFunc(words, func(word string) bool { return covers(words, word, pkg) }) {
			continue
		}
		m := flag.FindStringSubmatch(line)
		if m == nil {
			return true
		}
		re, err := regexp.Compile(m[1] + m[2])
		require.NoError(t, err)
		if re.MatchString(test) {
			return true
		}
	}
	return false
}

// covers reports whether a word of a go command is a pattern that matches a package.
func covers(words []string, word, pkg string) bool {
	if !strings.HasPrefix(word, "./") {
		return false
	}
	folder := "."
	if i := slices.Index(words, "-C"); i >= 0 {
		folder = words[i+1]
	}
	tree, below := strings.CutSuffix(word, "/...")
	in := "./" + path.Join(folder, tree)
	return pkg == in || below && strings.HasPrefix(pkg, in+"/")
}

// sampled returns the tests of each package that call what looks matches.
func sampled(t *testing.T, root string) map[string][]string {
	tests := map[string][]string{}
	require.NoError(t, filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == "testdata" || entry.Name() == ".git") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		folder, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv != nil || !strings.HasPrefix(f.Name.Name, "Test") {
				continue
			}
			if looks.Match(text[set.Position(f.Pos()).Offset:set.Position(f.End()).Offset]) {
				pkg := "./" + filepath.ToSlash(folder)
				tests[pkg] = append(tests[pkg], f.Name.Name)
			}
		}
		return nil
	}))
	return tests
}
