package cli

import (
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"strings"
)

// A Package is an argument that names the lock of a Go package, and not one of the
// catalog: the path of the package, and the function that builds the lock.
type Package struct{ Path, Constructor string }

// usual is the function that builds the lock of a package unless another one is named.
const usual = "New"

// IsPackage reports whether an argument is the path of a package, and not the name of a
// lock. The go command tells a path from an import path in the same way.
func IsPackage(arg string) bool {
	path, _ := splitPackage(arg)
	slashed := filepath.ToSlash(path)
	return slashed == "." || slashed == ".." || strings.HasPrefix(slashed, "./") || strings.HasPrefix(slashed, "../") || filepath.IsAbs(path)
}

// ParsePackage reads ./PACKAGE or ./PACKAGE:FUNC.
func ParsePackage(arg string) (Package, error) {
	path, constructor := splitPackage(arg)
	p := Package{path, constructor}
	switch {
	case strings.HasSuffix(path, ".go"), isFile(path):
		return p, fmt.Errorf("%s names a file: give the folder of its package, %s", arg, Package{folderOf(path), constructor})
	case !token.IsIdentifier(constructor):
		return p, fmt.Errorf("%s: behind the colon there must be the name of a function, as in %s:NewFast", arg, path)
	}
	return p, nil
}

// isFile reports whether a path leads to something that is no folder.
func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}

// splitPackage cuts an argument at its last colon, if that is not in a path such as C:\mylock.
func splitPackage(arg string) (path, constructor string) {
	if i := strings.LastIndexByte(arg, ':'); i >= 0 && !strings.ContainsAny(arg[i:], `/\`) {
		return arg[:i], arg[i+1:]
	}
	return arg, usual
}

// folderOf returns the folder of a file as a path of a package.
func folderOf(file string) string {
	dir := filepath.ToSlash(filepath.Dir(file))
	if !IsPackage(dir) {
		dir = "./" + dir
	}
	return dir
}

// String is the package as an argument.
func (p Package) String() string {
	if p.Constructor == usual {
		return p.Path
	}
	return p.Path + ":" + p.Constructor
}

// Of adds to an error that it is about the package, if the error does not say so itself.
func (p Package) Of(err error) error {
	if err == nil || strings.HasPrefix(err.Error(), p.Path) {
		return err
	}
	return fmt.Errorf("%s: %w", p, err)
}
