// Package load reads the source of a package and of what it is made of, as
// the compiler would, into SSA form.
package load

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"shmbench/internal/build/gocmd"
)

// listed is what "go list" says of one package.
type listed struct {
	ImportPath string
	Dir        string
	GoFiles    []string
	CgoFiles   []string
	Export     string
	Standard   bool
	ImportMap  map[string]string
	DepOnly    bool
	Module     *struct{ Dir, GoVersion string }
	Error      *struct{ Err string }
}

// list returns the packages that the patterns name and all that they import,
// dependencies first, as seen from dir.
func list(ctx context.Context, dir string, patterns ...string) ([]*listed, error) {
	args := append([]string{"list", "-e", "-deps", "-export",
		"-json=ImportPath,Dir,GoFiles,CgoFiles,Export,Standard,ImportMap,DepOnly,Module,Error", "--"}, patterns...)
	out, _, err := gocmd.Run(ctx, dir, args...)
	if err != nil {
		return nil, gocmd.OneLine(err)
	}
	var all []*listed
	for d := json.NewDecoder(strings.NewReader(out)); ; {
		p := new(listed)
		if err := d.Decode(p); err == io.EOF {
			break
		} else if err != nil {
			return nil, fmt.Errorf("cannot read what go list says: %v", err)
		}
		if p.Error != nil {
			return nil, fmt.Errorf("cannot load %s: %s", p.ImportPath, gocmd.Plain(gocmd.FirstLine(p.Error.Err)))
		}
		all = append(all, p)
	}
	return all, nil
}

// architecture returns the GOARCH for which packages seen from dir are built.
func architecture(ctx context.Context, dir string) (string, error) {
	out, _, err := gocmd.Run(ctx, dir, "env", "GOARCH")
	if failed := new(gocmd.Failure); errors.As(err, &failed) {
		return "", fmt.Errorf("cannot ask go env for GOARCH: %v", err)
	}
	return strings.TrimSpace(out), err
}
