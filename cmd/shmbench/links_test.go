package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	pageLink = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	pageHead = regexp.MustCompile(`(?m)^#+ +(.*)$`)
	notSlug  = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// anchors returns the fragments that the headings of a page have on code hosts: in small
// letters, without punctuation, with hyphens for blanks.
func anchors(page string) map[string]bool {
	all := map[string]bool{}
	for _, m := range pageHead.FindAllStringSubmatch(page, -1) {
		all[strings.ReplaceAll(notSlug.ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-")] = true
	}
	return all
}

// brokenLinks returns the links of a page, in a folder, to files or headings that do not
// exist.
func brokenLinks(t *testing.T, folder, page string) (broken []string) {
	t.Helper()
	for _, m := range pageLink.FindAllStringSubmatch(page, -1) {
		file, fragment, _ := strings.Cut(m[1], "#")
		if strings.Contains(file, "://") || strings.HasPrefix(file, "mailto:") {
			continue
		}
		text := page
		if file != "" {
			path := filepath.Join(folder, filepath.FromSlash(file))
			if info, err := os.Stat(path); err != nil {
				broken = append(broken, m[1])
				continue
			} else if info.IsDir() {
				continue
			}
			read, err := os.ReadFile(path)
			require.NoError(t, err)
			text = string(read)
		}
		if fragment != "" && !anchors(text)[fragment] {
			broken = append(broken, m[1])
		}
	}
	return broken
}

// TestLinks: every link of a page to a file or a heading of this tree leads somewhere.
func TestLinks(t *testing.T) {
	pages := 0
	require.NoError(t, filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".md" || d.Name() == "introduction.md" { // a part of docs/teaching.md
			return err
		}
		page, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Empty(t, brokenLinks(t, filepath.Dir(path), string(page)), path)
		pages++
		return nil
	}))
	require.Greater(t, pages, 20)
	here := "# A heading: of `two`\n[x](#a-heading-of-two) [y](links_test.go) [z](https://example.org/a#b)"
	require.Empty(t, brokenLinks(t, ".", here))
	require.Equal(t, []string{"#no", "no.md"}, brokenLinks(t, ".", "[x](#no) [y](no.md)"))
}
