package cli

import (
	"cmp"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
)

// version prints the version of the program.
func (p *Program) version(w io.Writer) { fmt.Fprintln(w, p.Name, Version()) }

// Version is the version of this program, which the Go command takes from the checkout, that of Go, and the platform.
func Version() string {
	of := "(unknown)"
	if info, ok := debug.ReadBuildInfo(); ok {
		of = cmp.Or(info.Main.Version, of)
	}
	return fmt.Sprintf("%s, %s, %s/%s", of, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
