// Package guest lets a package of the user's be compiled together with packages of this
// module. The user's module need not know the latter.
package guest

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"shmbench/internal/build/gocmd"
	"shmbench/internal/build/sources"
)

// Package is a package whose lock is looked at.
type Package struct {
	Path string // its import path
	Name string
	Dir  string // the folder of its files
	// Place is where the go command sees the package, and the packages of this module too.
	Place gocmd.Place
}

// Find finds the package that a path names: an import path, or a folder such as ./mylock or one of
// another module. Find changes neither the user's module nor the user's workspace. It writes a
// workspace of its own, which has both modules, into the folder temp.
func Find(ctx context.Context, path, temp string) (*Package, error) {
	dir, path, err := sources.For(ctx, path)
	if err != nil {
		return nil, err
	}
	p := &Package{Place: gocmd.Place{Dir: dir}}
	const format = "{{with .Module}}{{.Main}} {{.Path}}{{end}}\n{{.ImportPath}}\n{{.Name}}\n{{.Dir}}"
	out, err := output(ctx, p.Place, "list", "-f", format, "--", path)
	if err != nil {
		return nil, err
	}
	fields := strings.Split(out, "\n")
	if len(fields) != 4 {
		return nil, errors.New("it must be one package")
	}
	p.Path, p.Name, p.Dir = fields[1], fields[2], fields[3]
	if p.Name == "main" {
		return nil, fmt.Errorf("%s is a program, which nothing can import: put the lock into a package of its own", p.Path)
	}
	switch main, module, _ := strings.Cut(fields[0], " "); {
	case main != "true":
		return nil, fmt.Errorf("%s is not in your own module: go to a checkout of the module that has it", p.Path)
	case module == sources.Module:
		return p, nil
	}
	p.Place.Env, err = join(ctx, p.Place, temp)
	return p, err
}

// output is the standard output of a go command, and its error is one line.
func output(ctx context.Context, p gocmd.Place, args ...string) (string, error) {
	out, _, err := p.Run(ctx, args...)
	return strings.TrimSuffix(strings.ReplaceAll(out, "\r\n", "\n"), "\n"), gocmd.OneLine(err)
}
