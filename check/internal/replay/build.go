package replay

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"

	"shmbench/check/internal/load"
	"shmbench/check/internal/stops"
	"shmbench/internal/build/gocmd"
	"shmbench/internal/build/overlay"
	"shmbench/internal/build/twin"
)

//go:embed harness/*.go
var harnessSource embed.FS

// The import path of the twin, which gets another one: the program may belong to another
// module.
const twinPath = "shmbench/internal/build/twin"

// Target says which locks to build.
type Target struct {
	Prog *load.Program
	// List is a function of the package that returns a slice of algorithm
	// specifications, whose locks are run by name; if it is empty, Constructors are run
	// by theirs. It is given Paths, if there are any.
	List         string
	Paths        [][]int
	Constructors []Constructor
}

// Constructor is a function that builds a lock: it is called with n and so many
// Further zeros, and Fails says whether it returns an error too.
type Constructor struct {
	Name    string
	Further int
	Fails   bool
}

// build builds the program.
func (t Target) build(ctx context.Context, program string) error {
	const sub = "shmbenchreplay"
	path := t.Prog.Main.Pkg.Path()
	at, pkg := filepath.Join(t.Prog.Dir, sub), path+"/"+sub
	driver, main := t.sources(pkg)
	add := map[string][]byte{filepath.Join(t.Prog.Dir, "shmbench_replay.go"): []byte(driver)}
	target := path
	if main != "" {
		add[filepath.Join(at, "main.go")] = []byte(main)
		target = pkg
	}
	for dir, files := range map[string]embed.FS{"twin": twin.Source, ".": harnessSource} {
		err := fs.WalkDir(files, ".", func(name string, _ fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(name) != ".go" {
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
			text, err := t.Prog.Text(name)
			if err != nil {
				return err
			}
			if len(text) != t.Prog.Fset.File(file.Package).Size() {
				return fmt.Errorf("%s has changed since it was read", name)
			}
			if text, err = stops.Rewrite(source.Package, file, text, pkg+"/harness"); err != nil {
				return err
			}
			if text, err = overlay.Rewrite(name, text, twin.Replaced(pkg+"/twin")); err != nil {
				return err
			}
			add[name] = text
		}
	}
	return overlay.Build(ctx, overlay.Options{Place: gocmd.In(t.Prog.From), Add: add, Target: target, Output: program, Flags: []string{"-ldflags=-s -w"}})
}

// sources are the file that is added to the locks' package, and that of the
// program's main package if it is another. The names in them are no stranger's.
func (t Target) sources(pkg string) (driver, main string) {
	list, body := "", `for _, a := range all {
		if a.Name == lock {
			return a.New(n)
		}
	}`
	if t.List != "" {
		given := ""
		if len(t.Paths) > 0 {
			given = fmt.Sprintf("%#v", t.Paths)
		}
		list = fmt.Sprintf("\tall := %s(%s)\n", t.List, given)
	} else {
		body = "switch lock {\n"
		for _, c := range t.Constructors {
			body += fmt.Sprintf("\tcase %q:\n\t\treturn %s(n%s)", c.Name, c.Name, strings.Repeat(", 0", c.Further))
			if !c.Fails {
				body += ", nil"
			}
			body += "\n"
		}
		body += "\t}"
	}
	imports, start := "\tshmbench_errors \"errors\"\n", ""
	if t.Prog.Spin {
		// Each poll waits to be scheduled; between two, nothing may wait for
		// anything else.
		imports += "\tshmbench_spin \"shmbench/shm/spin\"\n"
		start = "\tshmbench_spin.Use(shmbench_spin.Busy)\n"
	}
	if t.Prog.Futex {
		imports += "\tshmbench_futex \"shmbench/shm/futex\"\n"
		start += "\tshmbench_futex.UseModel()\n"
	}
	name := t.Prog.Main.Pkg.Name()
	driver = fmt.Sprintf(`package %s

import (
%s	shmbench_harness "%s/harness"
)

func Shmbench_Replay() {
%s%s	shmbench_harness.Main(func(lock string, n int) (shmbench_harness.Lock, error) {
	%s
	return nil, shmbench_errors.New("no lock " + lock)
	})
}
`, name, imports, pkg, start, list, body)
	if name == "main" {
		return driver + "\nfunc main() { Shmbench_Replay() }\n", ""
	}
	main = fmt.Sprintf("package main\n\nimport p %q\n\nfunc main() { p.Shmbench_Replay() }\n", t.Prog.Main.Pkg.Path())
	return driver, main
}
