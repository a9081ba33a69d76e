package main

import (
	"bytes"
	"errors"
	"fmt"
	"go/format"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
)

// rename changes the path of the module at root, and returns the files that it has
// changed.
func rename(root, to string) (changed []string, err error) {
	if err := module.CheckPath(to); err != nil {
		return nil, fmt.Errorf("%s: this is no path of a module that can be published: %w", to, errors.Unwrap(err))
	}
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return nil, fmt.Errorf("this is not the root of a checkout: %w", err)
	}
	from := modfile.ModulePath(text)
	if from == to {
		return nil, fmt.Errorf("the path of the module is %s already", to)
	}
	r := newRenamer(from, to)
	err = filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && entry.Name() == ".git":
			return filepath.SkipDir
		case !entry.Type().IsRegular():
			return nil
		}
		done, err := r.file(name)
		if done {
			changed = append(changed, name)
		}
		return err
	})
	return changed, err
}

// renamer changes a path in the texts of files.
type renamer struct {
	from, to string
	below    *regexp.Regexp // the path and what comes below it: shmbench/locks/queue
	named    *regexp.Regexp // the path in a directive: replace shmbench => ../..
	required *regexp.Regexp // the path in a block of requirements
	imported *regexp.Regexp // the import of the root package
}

func newRenamer(from, to string) *renamer {
	quoted := regexp.QuoteMeta(from)
	return &renamer{from: from, to: to,
		// Not a part of a longer path, such as cmd/shmbench/main.go or $CACHE/shmbench/source.
		below:    regexp.MustCompile(`(?m)(^|\\n|\\t|[^\w./~$\\-])` + quoted + `/`),
		named:    regexp.MustCompile(`(module|require|replace)([ =]"?)` + quoted + `([ @="\n\\])`),
		required: regexp.MustCompile(`(?m)^(\s+)` + quoted + `( v\d)`),
		imported: regexp.MustCompile(`(?m)^(\s*)(\w+ )?"` + quoted + `"$`),
	}
}

// file changes a file, and reports whether there was something to change.
func (r *renamer) file(name string) (bool, error) {
	old, err := os.ReadFile(name)
	if err != nil || bytes.IndexByte(old, 0) >= 0 || !bytes.Contains(old, []byte(r.from)) {
		return false, err
	}
	text := r.text(string(old), filepath.Ext(name) == ".go")
	if text == string(old) {
		return false, nil
	}
	if filepath.Ext(name) == ".go" {
		// What was aligned with the old path is aligned with the new one.
		formatted, err := format.Source([]byte(text))
		if err != nil {
			return false, fmt.Errorf("%s: %w", name, err)
		}
		text = string(formatted)
	}
	info, err := os.Stat(name)
	if err != nil {
		return false, err
	}
	return true, os.WriteFile(name, []byte(text), info.Mode().Perm())
}

// text changes a text, which may be a Go file.
func (r *renamer) text(text string, isGo bool) string {
	to := strings.ReplaceAll(r.to, "$", "$$")
	text = r.below.ReplaceAllString(text, "${1}"+to+"/")
	text = r.named.ReplaceAllString(text, "${1}${2}"+to+"${3}")
	text = r.required.ReplaceAllString(text, "${1}"+to+"${2}")
	if !isGo {
		return text
	}
	return r.imported.ReplaceAllStringFunc(text, func(line string) string {
		m := r.imported.FindStringSubmatch(line)
		if m[2] == "" {
			m[2] = path.Base(r.from) + " " // the package keeps its name
		}
		return m[1] + m[2] + `"` + r.to + `"`
	})
}
