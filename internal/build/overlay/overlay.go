// Package overlay builds a program from source in which imports are replaced, without writing
// into the source tree. The compiler reads changed copies of some files ("go build
// -overlay").
package overlay

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"shmbench/internal/build/gocmd"
	"shmbench/internal/build/scratch"
)

// Options say what to build.
type Options struct {
	// Place is a directory of the module in which the build runs.
	Place gocmd.Place
	// Packages, which may be none, are the import paths of the packages whose files are changed.
	// Replace is what is changed in them: the import of each key becomes that
	// of its value, under the old package name. Types of a replaced package
	// that cross from one package to another need both to be listed.
	Packages []string
	Replace  map[string]string
	// Add has files by their absolute names, which the build reads instead of
	// those on disk. They need not be there, nor their directories.
	Add map[string][]byte
	// Flags are flags for "go build", such as "-race"; Target is the package
	// to build and Output the file to write.
	Flags  []string
	Target string
	Output string
}

// Build builds the program. The error of a failed build holds the compiler's
// messages. For a changed file they name the file and line of the unchanged source.
func Build(ctx context.Context, o Options) error {
	dir, remove, err := scratch.Folder("", "shmbench-overlay-")
	if err != nil {
		return err
	}
	defer remove()
	var files []string
	if len(o.Packages) > 0 {
		if files, err = sources(ctx, o); err != nil {
			return err
		}
	}
	replaced := make(map[string]string)
	for file, text := range o.Add {
		copied := filepath.Join(dir, fmt.Sprintf("add%d-%s", len(replaced), filepath.Base(file)))
		if err := os.WriteFile(copied, text, 0o600); err != nil {
			return err
		}
		replaced[file] = copied
	}
	for i, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		changed, err := Rewrite(file, text, o.Replace)
		if err != nil {
			return err
		}
		copied := filepath.Join(dir, fmt.Sprintf("%d-%s", i, filepath.Base(file)))
		named := fmt.Appendf(nil, "//line %s:1:1\n%s", file, changed)
		if err := os.WriteFile(copied, named, 0o600); err != nil {
			return err
		}
		replaced[file] = copied
	}
	table, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		return err
	}
	overlay := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(overlay, table, 0o600); err != nil {
		return err
	}
	args := append([]string{"build", "-overlay", overlay, "-o", o.Output}, o.Flags...)
	_, _, err = o.Place.Run(ctx, append(args, o.Target)...)
	return err
}

// sources returns the files of the packages that belong to a build.
func sources(ctx context.Context, o Options) ([]string, error) {
	if len(o.Packages) == 0 {
		return nil, nil
	}
	args := append([]string{"list"}, o.Flags...)
	args = append(args, "-f", "{{$d := .Dir}}{{range .GoFiles}}{{$d}}/{{.}}\n{{end}}")
	out, _, err := o.Place.Run(ctx, append(args, o.Packages...)...)
	if err != nil {
		return nil, err
	}
	return strings.FieldsFunc(out, func(r rune) bool { return r == '\n' || r == '\r' }), nil
}
