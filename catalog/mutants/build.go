package mutants

import (
	"bytes"
	"context"
	"path/filepath"
	"text/template"

	"shmbench/catalog"
	"shmbench/internal/build/edit"
	"shmbench/internal/build/gocmd"
	"shmbench/internal/build/overlay"
	"shmbench/internal/build/scratch"
	"shmbench/internal/build/sources"
)

// folder is where the changed copies of the locks seem to be.
const folder = "mutants/edited"

// Source returns the source of mutants: packages of changed locks that are in no folder.
// An edit that no longer applies is an error that names the mutant and the lock.
func Source(ctx context.Context, some []Mutant) (*edit.Program, error) {
	tree, err := edit.Open(ctx)
	if err != nil {
		return nil, err
	}
	var locks []edit.Lock
	also := ""
	for _, m := range some {
		if m.Of == "" {
			also = sources.Module + "/catalog/mutants/byhand"
			continue
		}
		locks = append(locks, edit.Lock{Name: m.Of, As: m.Name, Spec: m.edited.spec, Released: m.edited.released, File: m.edited.file, Edits: m.edited.edits})
	}
	return tree.Program(folder, locks, also)
}

// Runner is a program that stress-tests mutants: it answers a question of package isolate,
// which is a stress.Trial. It is in a folder of its own.
type Runner struct {
	Program string
	// Close removes the program.
	Close func()
}

// Build compiles mutants into one program. Flags are for "go build". The keys of replace
// are import paths of packages; in their place the locks and the mutants import the values.
func Build(ctx context.Context, some []Mutant, replace map[string]string, flags ...string) (*Runner, error) {
	program, err := Source(ctx, some)
	if err != nil {
		return nil, err
	}
	o := overlay.Options{Place: gocmd.In(program.Root), Replace: replace, Add: map[string][]byte{}, Flags: flags, Target: program.Path + "/runner"}
	for _, pkg := range program.Packages {
		for _, f := range pkg.Files {
			text, err := overlay.Rewrite(f.Name, []byte(f.Text), replace)
			if err != nil {
				return nil, err
			}
			o.Add[filepath.Join(pkg.Dir, f.Name)] = text
		}
	}
	if len(replace) > 0 {
		o.Packages = append(sources.Packages(catalog.Families()), sources.Module+"/catalog/mutants/byhand")
	}
	var main bytes.Buffer
	if err := runner.Execute(&main, map[string]string{"Module": sources.Module, "Path": program.Path}); err != nil {
		return nil, err
	}
	o.Add[filepath.Join(program.Root, filepath.FromSlash(folder), "runner", "main.go")] = main.Bytes()
	dir, remove, err := scratch.Folder("", "shmbench-mutants-")
	if err != nil {
		return nil, err
	}
	o.Output = filepath.Join(dir, "runner.exe")
	if err := overlay.Build(ctx, o); err != nil {
		remove()
		return nil, err
	}
	return &Runner{o.Output, remove}, nil
}

var runner = template.Must(template.New("main.go").Parse(`package main

import (
	"context"
	"errors"
	"os"

	"{{.Module}}/internal/run/isolate"
	"{{.Module}}/stress"
	edited "{{.Path}}"
)

func main() {
	ctx := isolate.Tied(context.Background(), func() { os.Exit(3) })
	isolate.Child(ctx, stress.Service, func(ctx context.Context, t stress.Trial) (*stress.Report, error) {
		for _, a := range edited.All() {
			if a.Name == t.Lock {
				return stress.Test(ctx, a, t.Options)
			}
		}
		return nil, errors.New("no mutant " + t.Lock)
	})
}
`))
