package treetest

import (
	"os"
	"path/filepath"
	"testing"
)

// Module makes a folder with module p, whose only Go file has the text. It returns the folder, which the
// end of the test removes.
func Module(t testing.TB, text string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range map[string]string{"p.go": text, "go.mod": "module p\n\ngo 1.26\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
