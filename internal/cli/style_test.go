package cli

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	root   = "../.."
	styles = root + "/.vale/styles/Plain/"
)

// spokenIn are the folders whose strings users read: help texts, messages and errors.
var spokenIn = []string{"cmd", "check", "stress", "bench", "report", "predict", "shm", "locktest", "internal", "distributed"}

// A rule is a pattern of the style that vale applies to pages and comments.
type rule struct {
	text string
	*regexp.Regexp
}

var (
	tokens     = regexp.MustCompile(`(?m)^  - '(.*)'$`)
	swap       = regexp.MustCompile(`(?m)^  (?:'([^']+)'|([^#'\s][^:]*)): \S`)
	lookaround = regexp.MustCompile(`\(\?<?!(?:[^()\[]|\[[^\]]*\])*\)`)
)

// rules reads the patterns of the style. Go has no lookaround: what it keeps out,
// names of folders, flags and fields, breaks keeps out here.
func rules(t *testing.T) []rule {
	var all []rule
	for file, entries := range map[string]*regexp.Regexp{"Clauses.yml": tokens, "Terms.yml": swap} {
		data, err := os.ReadFile(styles + file)
		require.NoError(t, err)
		found := 0
		for _, m := range entries.FindAllStringSubmatch(string(data), -1) {
			pattern := strings.Join(m[1:], "")
			all = append(all, rule{pattern, regexp.MustCompile(`(?i)\b(?:` + lookaround.ReplaceAllString(pattern, "") + `)\b`)})
			found++
		}
		require.Greater(t, found, 8, file)
	}
	return all
}

// breaks returns the words of a text that break a rule. A word beside a dash, a
// slash, a dot or a quote is a name, such as the flag -dear.
func (r rule) breaks(text string) string {
	for _, at := range r.FindAllStringIndex(text, -1) {
		if at[0] > 0 && strings.ContainsRune(`-/."`, rune(text[at[0]-1])) || at[1] < len(text) && strings.ContainsRune(`/_"`, rune(text[at[1]])) {
			continue
		}
		return text[at[0]:at[1]]
	}
	return ""
}

// TestStyleRules: each kind of pattern finds a text that breaks it and passes one that does not.
func TestStyleRules(t *testing.T) {
	broken := func(text string) (words []string) {
		for _, r := range rules(t) {
			if w := r.breaks(text); w != "" {
				words = append(words, w)
			}
		}
		return words
	}
	require.Equal(t, []string{"of which"}, broken("a lock of which the code is unknown"))
	require.Equal(t, []string{"nobody"}, broken("a pipe that nobody reads"))
	require.Equal(t, []string{"exhibits"}, broken("3 of 5 exhibits were checked"))
	require.Empty(t, broken("shmbench check -exhausted shows szymanski/mended, which no process enters"))
}

// TestTextsFollowTheStyle: no string of several words breaks a rule. Help texts,
// messages and errors are such strings.
func TestTextsFollowTheStyle(t *testing.T) {
	all := rules(t)
	texts := 0
	for _, folder := range spokenIn {
		require.NoError(t, filepath.WalkDir(filepath.Join(root, folder), func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() && d.Name() == "testdata" {
				return filepath.SkipDir
			}
			if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return nil
			}
			for _, text := range stringsIn(t, path) {
				texts++
				for _, r := range all {
					if words := r.breaks(text); words != "" {
						t.Errorf("%s: %q in %q breaks the rule %s of %s", path, words, text, r.text, styles)
					}
				}
			}
			return nil
		}))
	}
	require.Greater(t, texts, 1000)
}

// stringsIn returns the string literals of a file that have several words.
func stringsIn(t *testing.T, path string) []string {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	require.NoError(t, err)
	var texts []string
	ast.Inspect(file, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			text, err := strconv.Unquote(lit.Value)
			require.NoError(t, err)
			if strings.Contains(text, " ") {
				texts = append(texts, text)
			}
		}
		return true
	})
	return texts
}
