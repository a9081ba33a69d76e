// Package treetest copies the source tree for tests that change it.
package treetest

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Copy copies the files of a tree, without .git and the files and folders to skip, by
// their names below its root.
func Copy(t testing.TB, from, to string, skip ...string) {
	t.Helper()
	err := filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(from, path)
		switch {
		case err != nil:
			return err
		case name == ".git" || slices.Contains(skip, filepath.ToSlash(name)):
			if entry.IsDir() {
				return filepath.SkipDir
			}
			return nil
		case entry.IsDir():
			return os.MkdirAll(filepath.Join(to, name), 0o777)
		case !entry.Type().IsRegular():
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, name), text, 0o777)
	})
	if err != nil {
		t.Fatal(err)
	}
}
