// Structure draws which packages of this module import which, as Mermaid text between
// two marks in CONTRIBUTING.md.
//
//	go -C internal/tools run ./structure
//
// A test fails when the drawing is out of date.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"shmbench/internal/build/gocmd"
)

func main() {
	if err := run(context.Background(), "../.."); err != nil {
		fmt.Fprintln(os.Stderr, "structure:", err)
		os.Exit(2)
	}
}

// file is the file with the drawing, which is between the marks.
const (
	file  = "CONTRIBUTING.md"
	begin = "<!-- structure: go -C internal/tools run ./structure -->\n"
	end   = "<!-- end of structure -->\n"
)

// run draws the module in the folder root into its CONTRIBUTING.md.
func run(ctx context.Context, root string) error {
	drawing, err := draw(ctx, root)
	if err != nil {
		return err
	}
	path := root + "/" + file
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	changed, err := replace(string(text), drawing)
	if err != nil {
		return err
	}
	return os.WriteFile(path, []byte(changed), 0o644)
}

// replace returns a text with what is between the marks replaced by the drawing.
func replace(text, drawing string) (string, error) {
	before, rest, ok := strings.Cut(text, begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		return "", fmt.Errorf("%s has no marks %q and %q around the drawing", file, strings.TrimSpace(begin), strings.TrimSpace(end))
	}
	return before + begin + drawing + end + after, nil
}

// draw returns both drawings of the module in the folder root: of the whole, and of
// package check.
func draw(ctx context.Context, root string) (string, error) {
	module, packages, err := list(ctx, root)
	if err != nil {
		return "", err
	}
	locks, err := families(module, packages)
	if err != nil {
		return "", err
	}
	whole := collapse(packages, func(path string) string {
		name, ok := strings.CutPrefix(path, module+"/")
		if !ok { // the root, which has only the sources
			return ""
		}
		return room(name, locks)
	})
	inside := collapse(packages, func(path string) string {
		name := strings.TrimPrefix(path, module+"/")
		if name != "check" && !strings.HasPrefix(name, "check/") {
			return ""
		}
		return name
	})
	return "The whole module:\n\n" + mermaid(whole) + "\nPackage check:\n\n" + mermaid(inside), nil
}

// imports are the packages that each package imports, without tests.
type imports map[string][]string

// list returns the module's path, and its packages with what they import.
func list(ctx context.Context, root string) (module string, packages imports, err error) {
	out, _, err := gocmd.Run(ctx, root, "list", "-json=ImportPath,Imports,Module", "./...")
	if err != nil {
		return "", nil, err
	}
	packages = imports{}
	for in := json.NewDecoder(strings.NewReader(out)); ; {
		var p struct {
			ImportPath string
			Imports    []string
			Module     struct{ Path string }
		}
		switch err := in.Decode(&p); {
		case errors.Is(err, io.EOF):
			return module, packages, nil
		case err != nil:
			return "", nil, err
		}
		module, packages[p.ImportPath] = p.Module.Path, p.Imports
	}
}

// families are the packages of locks: those that the catalog imports, without shm.
func families(module string, packages imports) (map[string]bool, error) {
	all := map[string]bool{}
	for _, path := range packages[module+"/catalog"] {
		if name, ok := strings.CutPrefix(path, module+"/"); ok && name != "shm" {
			all[name] = true
		}
	}
	if len(all) == 0 {
		return nil, errors.New("package catalog imports no locks")
	}
	return all, nil
}

// room is where a package is drawn in the drawing of the whole: the locks are one room,
// and so is everything under one folder. It is empty for packages that are left out: the helpers
// under internal, and examples.
func room(name string, locks map[string]bool) string {
	first, _, _ := strings.Cut(name, "/")
	switch {
	case locks[first]:
		return "locks"
	case first == "cmd":
		return strings.Join(strings.SplitN(name, "/", 3)[:2], "/")
	case first == "internal", first == "examples":
		return ""
	}
	return first
}
