// Package sources finds the source tree of the locks on this machine.
package sources

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"golang.org/x/mod/modfile"

	"shmbench"
)

// Module is the path of the module that has the locks.
var Module = strings.TrimSuffix(reflect.TypeFor[here]().PkgPath(), "/internal/build/sources")

// here is a type of this package, whose path begins with that of the module.
type here struct{}

// Dir returns the root directory of a source tree of this module, as an absolute path.
// It is the checkout that has the current directory, if there is one. It is
// otherwise a copy of the sources that this binary carries, in the user's cache
// folder: Dir unpacks it when it is missing, and repairs it when it is damaged.
//
// Run the go command there through package gocmd: the settings of the user's own
// module do not apply to the copy.
func Dir(ctx context.Context) (string, error) {
	if dir, ok := Checkout(); ok {
		return dir, nil
	}
	folder, err := cache()
	if err != nil {
		return "", err
	}
	return unpack(ctx, folder, all())
}

// Files has the files of a source tree of this module, by their names below its root: those of the
// checkout around the current directory, if there is one, or those that this binary carries.
func Files() fs.FS {
	if dir, ok := Checkout(); ok {
		return os.DirFS(dir)
	}
	return shmbench.Source
}

// Folder returns the folder of a family of locks in a source tree, below its root: locks/queue for
// the family of queue/mcs.
func Folder(tree fs.FS, family string) string {
	for _, dir := range []string{family, "catalog/" + family} {
		if info, err := fs.Stat(tree, dir); err == nil && info.IsDir() {
			return dir
		}
	}
	return "locks/" + family
}

// Packages returns the import paths of the packages whose code makes the accesses of the locks of
// some families: those of the families, and package futex.
func Packages(families []string) []string {
	paths := []string{Module + "/shm/futex"}
	for _, family := range families {
		paths = append(paths, Module+"/"+Folder(Files(), family))
	}
	return paths
}

// For returns the folder in which the go command finds a package, "" for the current one, and the
// path of the package from there. A package of this module is found in its sources. A folder such
// as ../mylock is found from itself, because it may be in another module than the current folder.
func For(ctx context.Context, pkg string) (dir, path string, err error) {
	switch {
	case pkg == Module || strings.HasPrefix(pkg, Module+"/"):
		dir, err = Dir(ctx)
		return dir, pkg, err
	case filepath.IsAbs(pkg) || strings.HasPrefix(filepath.ToSlash(pkg)+"/", "../"):
		if info, err := os.Stat(pkg); err == nil && info.IsDir() {
			dir, err := filepath.Abs(pkg)
			return dir, ".", err
		}
	}
	return "", pkg, nil
}

// Unpacked reports whether a directory is in the user's cache folder, in a copy of the
// sources that Dir has made.
func Unpacked(dir string) bool {
	folder, err := cache()
	if err != nil || dir == "" {
		return false
	}
	rel, err := filepath.Rel(folder, dir)
	return err == nil && filepath.IsLocal(rel)
}

// Checkout returns the root of the current module, if it is this one.
func Checkout() (string, bool) {
	dir, err := os.Getwd()
	if err != nil {
		return "", false
	}
	for {
		text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		switch parent := filepath.Dir(dir); {
		case err == nil:
			return dir, modfile.ModulePath(text) == Module
		case parent == dir:
			return "", false
		default:
			dir = parent
		}
	}
}

// cache returns the folder of all copies.
func cache() (string, error) {
	folder, err := os.UserCacheDir()
	if err == nil {
		folder, err = filepath.Abs(folder)
	}
	if err != nil {
		return "", fmt.Errorf("the sources of the locks are unpacked into the user's cache folder, and there is none: %w", err)
	}
	return filepath.Join(folder, "shmbench", "source"), nil
}

// all returns the files that this binary carries, by their names below the root of the
// module with slashes. Tests are no part of a lock and are left out.
func all() map[string][]byte {
	files := map[string][]byte{}
	err := fs.WalkDir(shmbench.Source, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasSuffix(name, "_test.go") {
			return err
		}
		files[name], err = shmbench.Source.ReadFile(name)
		return err
	})
	if err != nil {
		panic(errors.Join(errors.New("the embedded sources cannot be read"), err)) // they are a part of the program
	}
	return files
}
