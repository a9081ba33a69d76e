package guest

import (
	"context"
	"fmt"
	"go/version"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"shmbench/internal/build/gocmd"
	"shmbench/internal/build/sources"
)

// join writes a workspace that has the user's modules and this one into a folder, and
// returns the settings with which the go command uses it. The user's workspace is
// enough, and there are no settings, if it has this module already.
func join(ctx context.Context, place gocmd.Place, folder string) (env []string, err error) {
	w, err := current(ctx, place)
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(w.modules, func(m module) bool { return m.path == sources.Module }) {
		return nil, nil
	}
	tree, err := required(ctx, place)
	if err != nil {
		return nil, err
	}
	if err := w.use(tree); err != nil {
		return nil, err
	}
	text, err := w.text(tree)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(folder, "go.work")
	if err := os.WriteFile(file, text, 0o666); err != nil {
		return nil, err
	}
	flags, err := output(ctx, place, "env", "GOFLAGS")
	if err != nil {
		return nil, err
	}
	return []string{"GOWORK=" + file, "GOFLAGS=" + applicable(flags)}, nil
}

// required returns the source tree that is compiled: that of the version which the
// user's module requires, or else that of this program.
func required(ctx context.Context, place gocmd.Place) (string, error) {
	if dir, err := output(ctx, place, "list", "-m", "-f", "{{.Dir}}", sources.Module); err == nil && dir != "" {
		return dir, nil
	}
	return sources.Dir(ctx)
}

// applicable returns those of the user's GOFLAGS that a workspace can have: -mod=mod and
// -modfile are for one module, and a vendor folder is that of one.
func applicable(flags string) string {
	kept := slices.DeleteFunc(strings.Fields(flags), func(flag string) bool {
		name, _, _ := strings.Cut(strings.TrimLeft(flag, "-"), "=")
		return name == "mod" || name == "modfile"
	})
	// Never empty, which would mean the flags of "go env -w".
	return strings.Join(append(kept, "-mod=readonly"), " ")
}

// workspace is one or more modules that are worked on together.
type workspace struct {
	modules  []module
	version  string // the newest version of Go that one of them needs
	replaces []*modfile.Replace
	// required are the versions of this module that they require.
	required []string
}

// module is a module of a workspace.
type module struct{ path, dir string }

// current reads the workspace that a place is in, which may be that of one module.
func current(ctx context.Context, place gocmd.Place) (*workspace, error) {
	out, err := output(ctx, place, "env", "GOWORK", "GOMOD")
	if err != nil {
		return nil, err
	}
	file, mod, _ := strings.Cut(out, "\n")
	w := new(workspace)
	if file == "" || file == "off" {
		return w, w.use(filepath.Dir(mod))
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	work, err := modfile.ParseWork(file, text, nil)
	if err != nil {
		return nil, err
	}
	if work.Go != nil {
		w.atLeast(work.Go.Version)
	}
	for _, u := range work.Use {
		if err := w.use(absolute(filepath.Dir(file), u.Path)); err != nil {
			return nil, err
		}
	}
	for _, r := range work.Replace {
		if modfile.IsDirectoryPath(r.New.Path) {
			r.New.Path = absolute(filepath.Dir(file), r.New.Path)
		}
		w.replaces = append(w.replaces, r)
	}
	return w, nil
}

// use adds the module of a folder.
func (w *workspace) use(dir string) error {
	file := filepath.Join(dir, "go.mod")
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	mod, err := modfile.ParseLax(file, text, nil)
	if err != nil {
		return err
	}
	if mod.Module == nil {
		return fmt.Errorf("%s has no module line", file)
	}
	if mod.Go != nil {
		w.atLeast(mod.Go.Version)
	}
	for _, r := range mod.Require {
		if r.Mod.Path == sources.Module && !slices.Contains(w.required, r.Mod.Version) {
			w.required = append(w.required, r.Mod.Version)
		}
	}
	w.modules = append(w.modules, module{mod.Module.Mod.Path, dir})
	return nil
}

func (w *workspace) atLeast(v string) {
	if w.version == "" || version.Compare("go"+v, "go"+w.version) > 0 {
		w.version = v
	}
}

// text is the go.work file. The source tree of this module is in the place of every
// version that is required, which the go command would look for otherwise.
func (w *workspace) text(tree string) ([]byte, error) {
	work := &modfile.WorkFile{Syntax: new(modfile.FileSyntax)}
	if err := work.AddGoStmt(w.version); err != nil {
		return nil, err
	}
	for _, m := range w.modules {
		if err := work.AddUse(m.dir, m.path); err != nil {
			return nil, err
		}
	}
	for _, r := range w.replaces {
		if r.Old.Path == sources.Module {
			continue
		}
		if err := work.AddReplace(r.Old.Path, r.Old.Version, r.New.Path, r.New.Version); err != nil {
			return nil, err
		}
	}
	for _, v := range w.required {
		if err := work.AddReplace(sources.Module, v, tree, ""); err != nil {
			return nil, err
		}
	}
	return modfile.Format(work.Syntax), nil
}

func absolute(base, path string) string {
	path = filepath.FromSlash(path)
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(base, path)
}
