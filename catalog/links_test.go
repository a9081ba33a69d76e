package catalog_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var link = regexp.MustCompile(`\]\(([^)#]+)(#[^)]*)?\)`)

// Every link of the documents that stays in the tree leads somewhere.
func TestLinksOfTheDocuments(t *testing.T) {
	documents := 0
	require.NoError(t, filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && strings.HasPrefix(d.Name(), ".") && d.Name() != "..":
			return filepath.SkipDir
		case filepath.Ext(path) != ".md":
			return nil
		}
		documents++
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			if !strings.Contains(m[1], "://") {
				_, err := os.Stat(filepath.Join(filepath.Dir(path), filepath.FromSlash(m[1])))
				require.NoErrorf(t, err, "%s links to %s", path, m[1])
			}
		}
		return nil
	}))
	require.Greater(t, documents, 5)
}
