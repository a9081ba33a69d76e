package cli

import (
	"cmp"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
)

// version prints the version of the program, which the Go command takes from the
// checkout, and that of Go.
func (p *Program) version(w io.Writer) {
	of := "(unknown)"
	if info, ok := debug.ReadBuildInfo(); ok {
		of = cmp.Or(info.Main.Version, of)
	}
	fmt.Fprintf(w, "%s %s, %s, %s/%s\n", p.Name, of, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
