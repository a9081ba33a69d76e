package newmodule

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"go/format"
	"slices"
	"strings"
	"text/template"

	"golang.org/x/mod/modfile"

	"shmbench/internal/build/gocmd"
	"shmbench/internal/build/sources"
)

//go:embed template
var templates embed.FS

// file is a file of the new module.
type file struct {
	name string
	text []byte
}

// values are what the templates ask for.
type values struct {
	Name, Lock string // of the package, and of the lock in tables
	Kind       string
	Path       string // of the new module
	Module     string // the path of this module
	Go         string // the version of Go that it needs
	Replace    string // the checkout, as go.mod has it
	Checkout   string // the same, as a shell has it
	Requires   []string
}

// render makes the texts of the files.
func render(ctx context.Context, o Options, c *checkout) ([]file, error) {
	requires, err := required(ctx, c.dir)
	if err != nil {
		return nil, err
	}
	v := values{Name: o.name, Lock: o.name + "/" + o.name, Kind: o.Kind, Path: path(o.name), Module: sources.Module,
		Go: c.mod.Go.Version, Replace: modfile.AutoQuote(c.path), Checkout: quoted(c.path), Requires: requires}
	parts := []string{"template/*.go.tmpl", "template/go.mod.tmpl", "template/README.md.tmpl", "template/" + o.Kind + ".tmpl"}
	if o.Kind != "reader-writer" {
		parts = append(parts, "template/tas.tmpl")
	}
	t, err := template.ParseFS(templates, parts...)
	if err != nil {
		return nil, err
	}
	files := []file{{"go.sum", c.sums}}
	for name, from := range map[string]string{
		"go.mod": "go.mod.tmpl", "README.md": "README.md.tmpl", o.name + ".go": "lock.go.tmpl", o.name + "_test.go": "lock_test.go.tmpl",
	} {
		var text bytes.Buffer
		if err := t.ExecuteTemplate(&text, from, v); err != nil {
			return nil, err
		}
		made := text.Bytes()
		if strings.HasSuffix(name, ".go") {
			if made, err = format.Source(made); err != nil {
				return nil, fmt.Errorf("%s: %w", from, err)
			}
		}
		files = append(files, file{name, made})
	}
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.name, b.name) })
	return files, nil
}

// quoted returns a path as a word of a shell.
func quoted(path string) string {
	if strings.ContainsAny(path, " '\"$&()*?;<>|\\`") {
		return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
	}
	return path
}

// required returns the modules that the packages of a checkout which the new module's
// tests import are made of, each with its version.
func required(ctx context.Context, dir string) ([]string, error) {
	args := []string{"list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}{{end}}{{end}}"}
	for _, p := range []string{"bench", "check", "locktest", "stress"} {
		args = append(args, sources.Module+"/"+p)
	}
	out, _, err := gocmd.Place{Dir: dir, Env: []string{"GOWORK=off"}}.Run(ctx, args...)
	if err != nil {
		return nil, gocmd.OneLine(err)
	}
	lines := strings.FieldsFunc(out, func(r rune) bool { return r == '\n' || r == '\r' })
	slices.Sort(lines)
	return slices.Compact(lines), nil
}
