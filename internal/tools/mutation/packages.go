package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A listed is a package as "go list" describes it.
type listed struct {
	ImportPath, Dir                    string
	GoFiles, TestGoFiles, XTestGoFiles []string
	Imports, TestImports, XTestImports []string
}

func (p listed) hasTests() bool { return len(p.TestGoFiles)+len(p.XTestGoFiles) > 0 }

func (p listed) imports(path string) bool {
	return slices.Contains(p.Imports, path) || slices.Contains(p.TestImports, path) || slices.Contains(p.XTestImports, path)
}

func list(ctx context.Context, dir string, patterns ...string) ([]listed, error) {
	cmd := exec.CommandContext(ctx, "go", append([]string{"list", "-json=ImportPath,Dir,GoFiles,TestGoFiles,XTestGoFiles,Imports,TestImports,XTestImports"}, patterns...)...)
	cmd.Dir = dir
	var messages bytes.Buffer
	cmd.Stderr = &messages
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list %s: %s", strings.Join(patterns, " "), strings.TrimSpace(messages.String()))
	}
	var all []listed
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		switch err := d.Decode(&p); {
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return nil, err
		}
		all = append(all, p)
	}
}

// A module is a folder with packages.
type module struct {
	dir      string
	packages []listed
}

// moduleOf returns the module that a folder is in.
func moduleOf(ctx context.Context, dir string) (m module, err error) {
	dir, err = filepath.Abs(dir)
	if err != nil {
		return m, err
	}
	cmd := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}")
	cmd.Dir = dir
	root, err := cmd.Output()
	if err != nil {
		return m, fmt.Errorf("there is no module in %s", dir)
	}
	m.dir = strings.TrimSpace(string(root))
	m.packages, err = list(ctx, m.dir, "./...")
	return m, err
}

// mutantsOf returns the faults of all files of the packages.
func mutantsOf(packages []listed) ([]mutant, error) {
	var all []mutant
	for _, p := range packages {
		for _, name := range p.GoFiles {
			file := filepath.Join(p.Dir, name)
			text, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			of, err := mutants(file, text)
			if err != nil {
				return nil, err
			}
			for _, m := range of {
				m.pkg = p.ImportPath
				all = append(all, m)
			}
		}
	}
	return all, nil
}

// witnesses returns the packages whose tests may notice a fault in the package
// called path: its own first, then those that import it, then more.
func witnesses(module, more []listed, path string) []string {
	var own, others []string
	for _, p := range module {
		switch {
		case !p.hasTests():
		case p.ImportPath == path:
			own = append(own, path)
		case p.imports(path):
			others = append(others, p.ImportPath)
		}
	}
	for _, p := range more {
		if p.hasTests() && p.ImportPath != path && !slices.Contains(others, p.ImportPath) {
			others = append(others, p.ImportPath)
		}
	}
	return append(own, others...)
}
