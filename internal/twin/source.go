package twin

import "embed"

// Source has the files of this package, for programs of other modules, which
// cannot import it.
//
//go:embed twin.go functions.go
var Source embed.FS
