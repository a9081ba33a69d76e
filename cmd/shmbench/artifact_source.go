package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"

	"shmbench/cmd/shmbench/guest"
	"shmbench/internal/build/scratch"
	"shmbench/internal/build/sources"
	"shmbench/internal/cli"
)

// sources are the files of the lock, by their names in the artifact. Of the user's lock they are the module, without
// the folder of the artifact and folders that go ignores. Of a lock of the catalog they are its file, the
// module files and the license. sources sets Folder.
func (c *artifactCommand) sources(ctx context.Context, artifact string) (map[string][]byte, error) {
	if !cli.IsPackage(c.Lock) {
		return c.ownSources()
	}
	named, err := cli.ParsePackage(c.Lock)
	if err != nil {
		return nil, err
	}
	temp, remove, err := scratch.Folder("", "shmbench-artifact-")
	if err != nil {
		return nil, err
	}
	defer remove()
	p, err := guest.Find(ctx, named.Path, temp)
	if err != nil {
		return nil, err
	}
	root := moduleRoot(p.Dir)
	folder, err := filepath.Rel(root, p.Dir)
	if err != nil {
		return nil, err
	}
	c.Folder = filepath.ToSlash(folder)
	return moduleFiles(root, artifact)
}

// ownSources are the files of a lock of the catalog.
func (c *artifactCommand) ownSources() (map[string][]byte, error) {
	a, err := locks().Get(c.Lock)
	if err != nil {
		return nil, err
	}
	file, text, err := sourceOf(a)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{file: text}
	for _, name := range []string{"go.mod", "go.sum", "LICENSE"} {
		if files[name], err = fs.ReadFile(sources.Files(), name); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// moduleFiles are the files of a module that belong to an artifact, by names with slashes.
func moduleFiles(root, artifact string) (map[string][]byte, error) {
	files := map[string][]byte{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil { // then d may be nil
			return err
		}
		switch name := d.Name(); {
		case d.IsDir() && path != root && (strings.HasPrefix(name, ".") || name == "testdata" || name == "vendor" || ofAnother(path) || sameFolder(path, artifact)):
			return fs.SkipDir
		case d.IsDir() || !belongs(name):
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(root, path)
		files[filepath.ToSlash(relative)] = text
		return err
	})
	return files, err
}

// belongs reports whether a file of a module belongs to an artifact.
func belongs(name string) bool {
	upper := strings.ToUpper(name)
	return strings.HasSuffix(name, ".go") || strings.HasSuffix(name, ".s") || name == "go.mod" || name == "go.sum" ||
		strings.HasPrefix(upper, "LICEN") || strings.HasPrefix(upper, "COPYING")
}

// ofAnother reports whether a folder is that of a module of its own.
func ofAnother(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

func sameFolder(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

// moduleRoot is the folder around a package that has its go.mod.
func moduleRoot(dir string) string {
	for at := dir; ; at = filepath.Dir(at) {
		if ofAnother(at) || at == filepath.Dir(at) {
			return at
		}
	}
}

// writeModule writes the files of a module into a folder. A module that requires shmbench gets that
// of this program, because the checkout that go.mod names may not be on this machine. writeModule refuses
// any other folder that go.mod uses in place of a module.
func writeModule(ctx context.Context, to string, files map[string][]byte) error {
	for name, text := range files {
		path := filepath.Join(to, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(path, text, 0o666); err != nil {
			return err
		}
	}
	mod, err := modfile.Parse("go.mod", files["go.mod"], nil)
	if err != nil {
		return err
	}
	shmbench := ""
	for _, r := range mod.Require {
		if r.Mod.Path != sources.Module {
			continue
		}
		if shmbench, err = sources.Dir(ctx); err != nil {
			return err
		}
		if err := mod.AddReplace(sources.Module, "", shmbench, ""); err != nil {
			return err
		}
	}
	mod.Cleanup()
	for _, r := range mod.Replace {
		if r.New.Version == "" && r.New.Path != shmbench {
			return fmt.Errorf("go.mod replaces %s by the folder %s, which is not in the artifact: the module may use only published versions", r.Old.Path, r.New.Path)
		}
	}
	text, err := mod.Format()
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(to, "go.mod"), text, 0o666)
}
