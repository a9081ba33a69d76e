// Package newmodule writes a module for a lock of the user's own: a small correct lock
// to replace, its specification, its tests, and what the go command needs.
package newmodule

import (
	"context"
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"shmbench/internal/build/sources"
)

// Kinds are the kinds of locks: what a process can call beside Lock and Unlock.
var Kinds = []string{"mutex", "try", "abortable", "reader-writer"}

// Options say what to write.
type Options struct {
	Dir  string // the folder, which is made unless it is there and empty
	Kind string // one of Kinds
	// Checkout is a checkout of this module, "" for that around the current folder.
	Checkout string

	name string // of the package, which is that of the folder
}

// Module is a module that has been written.
type Module struct {
	Path  string   // its import path
	Name  string   // of its package
	Files []string // their names in the folder
}

// Write writes the module. The error names the option that is wrong, as the flag that
// gives it.
func Write(ctx context.Context, o Options) (*Module, error) {
	if !slices.Contains(Kinds, o.Kind) {
		return nil, fmt.Errorf("-kind %s: the kind must be %s or %s", o.Kind, strings.Join(Kinds[:len(Kinds)-1], ", "), Kinds[len(Kinds)-1])
	}
	if err := o.named(); err != nil {
		return nil, err
	}
	if err := vacant(o.Dir); err != nil {
		return nil, err
	}
	checkout, err := o.checkout()
	if err != nil {
		return nil, err
	}
	files, err := render(ctx, o, checkout)
	if err != nil {
		return nil, err
	}
	m := &Module{Path: path(o.name), Name: o.name}
	for _, f := range files {
		m.Files = append(m.Files, f.name)
	}
	return m, write(o.Dir, files)
}

// path returns the path of the module of a package.
func path(name string) string { return "example.com/" + name }

var packageName = regexp.MustCompile(`^[a-z][a-z0-9]*$`)

// taken are names that the files of the module have for something else.
var taken = []string{"main", "internal", "vendor", "testdata", "fmt", "atomic", "testing", "shm", "spin", "bench", "check", "locktest", "stress", "lock", "procs"}

// named gives the package the name of the folder, and refuses a bad one.
func (o *Options) named() error {
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return err
	}
	o.name = filepath.Base(dir)
	switch {
	case !packageName.MatchString(o.name):
		return fmt.Errorf("the folder %s gives the package its name: the name must be lower-case letters and digits, such as mylock", o.name)
	case token.IsKeyword(o.name) || types.Universe.Lookup(o.name) != nil || slices.Contains(taken, o.name):
		return fmt.Errorf("the folder %s gives the package its name: the name means something else in Go or in the module's files; give another, such as mylock", o.name)
	}
	return nil
}

// vacant refuses a folder that has something in it.
func vacant(dir string) error {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("%s is no folder that can be read: %w", dir, err)
	case len(entries) > 0:
		return fmt.Errorf("%s is not empty: it has %s; give a folder that is new or empty", dir, entries[0].Name())
	}
	return nil
}

// checkout returns the root of the checkout that the module reads.
func (o *Options) checkout() (*checkout, error) {
	c := &checkout{dir: o.Checkout, path: o.Checkout}
	if o.Checkout == "" {
		dir, ok := sources.Checkout()
		if !ok {
			return nil, errors.New("there is no checkout of shmbench around the current folder: give one, as in -replace ~/shmbench")
		}
		c.dir, c.path = dir, dir
	}
	file := filepath.Join(c.dir, "go.mod")
	text, err := os.ReadFile(file)
	if err == nil && modfile.ModulePath(text) != sources.Module {
		err = fmt.Errorf("its go.mod is of module %s", modfile.ModulePath(text))
	}
	if err != nil {
		return nil, fmt.Errorf("-replace %s: it must be the folder of a checkout of shmbench: %w", o.Checkout, err)
	}
	if c.mod, err = modfile.ParseLax(file, text, nil); err != nil {
		return nil, fmt.Errorf("-replace %s: %w", o.Checkout, err)
	}
	if c.sums, err = os.ReadFile(filepath.Join(c.dir, "go.sum")); err != nil {
		return nil, fmt.Errorf("-replace %s: %w", o.Checkout, err)
	}
	c.path, err = seenFrom(o.Dir, c.path)
	return c, err
}

// checkout is a checkout of this module.
type checkout struct {
	dir  string // as seen from the current folder
	path string // as the new module's go.mod has it
	mod  *modfile.File
	sums []byte // its go.sum
}

// seenFrom returns a path as a module in dir has it: a path stays absolute, or relative,
// except the checkout that dir is inside of.
func seenFrom(dir, path string) (string, error) {
	from, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	to, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	inside, err := filepath.Rel(to, from)
	if filepath.IsAbs(path) && (err != nil || !filepath.IsLocal(inside)) {
		return filepath.ToSlash(to), nil
	}
	rel, err := filepath.Rel(from, to)
	if err != nil {
		return filepath.ToSlash(to), nil
	}
	if rel = filepath.ToSlash(rel); !strings.HasPrefix(rel, "../") && rel != ".." {
		rel = "./" + rel // the go command takes it for an import path otherwise
	}
	return rel, nil
}

// write writes the files, and none if one cannot be written.
func write(dir string, files []file) (err error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	var written []string
	defer func() {
		if err != nil {
			for _, name := range written {
				os.Remove(name)
			}
		}
	}()
	for _, f := range files {
		name := filepath.Join(dir, f.name)
		written = append(written, name)
		if err := os.WriteFile(name, f.text, 0o666); err != nil {
			return err
		}
	}
	return nil
}
