package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"shmbench/internal/artifact"
	"shmbench/internal/guest"
	"shmbench/internal/scratch"
)

// sources are the files of the lock, by their names in the artifact: the module of -pkg, without
// what go ignores, or the file of the lock of the catalog.
func (f *artifactFlags) sources(ctx context.Context) (map[string][]byte, error) {
	if f.Pkg == "" {
		a, err := locks().Get(f.Alg)
		if err != nil {
			return nil, err
		}
		file, text, err := sourceOf(a)
		return map[string][]byte{file: text}, err
	}
	temp, remove, err := scratch.Folder("", "shmbench-artifact-")
	if err != nil {
		return nil, err
	}
	defer remove()
	p, err := guest.Find(ctx, f.Pkg, temp)
	if err != nil {
		return nil, err
	}
	root := moduleRoot(p.Dir)
	files := map[string][]byte{}
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch name := d.Name(); {
		case err != nil:
			return err
		case d.IsDir() && path != root && (strings.HasPrefix(name, ".") || name == "testdata" || name == "vendor" || sameFolder(path, f.dir)):
			return fs.SkipDir
		case d.IsDir() || !belongs(name):
			return nil
		}
		text, err := os.ReadFile(path)
		relative, _ := filepath.Rel(root, path)
		files[filepath.ToSlash(relative)] = text
		return err
	})
	return files, err
}

// belongs reports whether a file of a module belongs to an artifact.
func belongs(name string) bool {
	return strings.HasSuffix(name, ".go") || strings.HasSuffix(name, ".s") || name == "go.mod" || name == "go.sum" || strings.HasPrefix(strings.ToUpper(name), "LICEN")
}

func sameFolder(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

// moduleRoot is the folder around a package that has its go.mod.
func moduleRoot(dir string) string {
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, "go.mod")); err == nil {
			return at
		}
		if at == filepath.Dir(at) {
			return dir
		}
	}
}

// verified reruns an artifact in a folder of its own, and compares. A lock of -pkg is run where
// the artifact was made; its files must be those that the artifact has.
func (f *artifactFlags) verified(ctx context.Context, e env) error {
	text, err := os.ReadFile(filepath.Join(f.verify, "command.json"))
	if err != nil {
		return fmt.Errorf("-verify %s: it is no artifact: %w", f.verify, err)
	}
	was := &artifactFlags{dir: f.verify}
	if err := json.Unmarshal(text, was); err != nil {
		return fmt.Errorf("-verify %s: command.json: %w", f.verify, err)
	}
	before, err := was.read(ctx, filepath.Join(f.verify, "data"))
	if err != nil {
		return fmt.Errorf("-verify %s: %w", f.verify, err)
	}
	var says []string
	files, err := was.sources(ctx)
	if err != nil {
		return err
	}
	says = append(says, artifact.Changed(f.verify, files)...)
	temp, remove, err := scratch.Folder("", "shmbench-artifact-")
	if err != nil {
		return err
	}
	defer remove()
	if err := was.make(ctx, e, temp); err != nil {
		return err
	}
	after, err := was.read(ctx, temp)
	if err != nil {
		return err
	}
	says = append(says, artifact.Differences(before.Claims, after.Claims)...)
	says = append(says, artifact.Reversed(artifact.Compare(before.Costs, before.Lock), artifact.Compare(after.Costs, after.Lock))...)
	for _, line := range says {
		fmt.Fprintln(e.Stdout, line)
	}
	if says != nil {
		return errViolated
	}
	fmt.Fprintf(e.Stdout, "%s: %d verdicts are equal, and no order of %d comparisons is reversed beyond the intervals\n",
		f.verify, len(before.Claims), len(artifact.Compare(before.Costs, before.Lock)))
	return nil
}
