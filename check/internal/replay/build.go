package replay

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"shmbench/check/internal/load"
	"shmbench/check/internal/stops"
	"shmbench/internal/overlay"
	"shmbench/internal/twin"
)

//go:embed harness/*.go
var harnessSource embed.FS

// The import paths of what goes into the program, which may belong to another
// module.
const (
	twinPath    = "shmbench/internal/twin"
	harnessPath = "shmbench/check/internal/replay/harness"
)

// Target says which locks to build.
type Target struct {
	Prog *load.Program
	// List is a function of the package that returns a slice of algorithm
	// cards, whose locks are run by name; if it is empty, Constructor is run,
	// and Fails says whether that returns an error too.
	List        string
	Constructor string
	Fails       bool
}

// build builds the program.
func (t Target) build(ctx context.Context, program string) error {
	const sub = "shmbenchreplay"
	main := t.Prog.Main.Pkg
	at, pkg := filepath.Join(t.Prog.Dir, sub), main.Path()+"/"+sub
	add := map[string][]byte{filepath.Join(at, "main.go"): []byte(t.main(pkg))}
	for dir, files := range map[string]embed.FS{"twin": twin.Source, ".": harnessSource} {
		err := fs.WalkDir(files, ".", func(name string, _ fs.DirEntry, err error) error {
			if err != nil || path.Ext(name) != ".go" {
				return err
			}
			text, err := files.ReadFile(name)
			add[filepath.Join(at, dir, filepath.FromSlash(name))] =
				bytes.ReplaceAll(text, []byte(strconv.Quote(twinPath)), []byte(strconv.Quote(pkg+"/twin")))
			return err
		})
		if err != nil {
			return err
		}
	}
	for _, source := range t.Prog.Sources {
		for _, file := range source.Files {
			name := t.Prog.Fset.PositionFor(file.Package, false).Filename
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			if len(text) != t.Prog.Fset.File(file.Package).Size() {
				return fmt.Errorf("%s has changed since it was read", name)
			}
			if text, err = stops.Rewrite(source.Package, file, text, pkg+"/harness"); err != nil {
				return err
			}
			if text, err = overlay.Rewrite(name, text, map[string]string{"sync/atomic": pkg + "/twin"}); err != nil {
				return err
			}
			add[name] = text
		}
	}
	return overlay.Build(ctx, overlay.Options{Dir: t.Prog.From, Add: add, Target: pkg, Output: program})
}

// main is the source of the program.
func (t Target) main(pkg string) string {
	body := fmt.Sprintf("return p.%s(n)", t.Constructor)
	if !t.Fails {
		body += ", nil"
	}
	imports, start := "", ""
	if t.Prog.Spin {
		// Each poll waits to be scheduled; between two, nothing may wait for
		// anything else.
		imports, start = "\t\"shmbench/spin\"\n", "spin.Use(spin.Busy)"
	}
	if t.List != "" {
		imports += "\t\"errors\"\n"
		body = fmt.Sprintf(`for _, a := range p.%s() {
			if a.Name == lock {
				return a.New(n)
			}
		}
		return nil, errors.New("no algorithm " + lock)`, t.List)
	}
	return strings.NewReplacer("PATH", pkg, "PACKAGE", t.Prog.Main.Pkg.Path(), "BODY", body, "IMPORTS", imports, "START", start).Replace(`package main

import (
IMPORTS	h "PATH/harness"
	p "PACKAGE"
)

func main() {
	START
	h.Main(func(lock string, n int) (h.Lock, error) {
		BODY
	})
}
`)
}
