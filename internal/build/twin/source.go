package twin

import "embed"

// Source has the files of this package, for programs of other modules, which
// cannot import it.
//
//go:embed twin.go functions.go wait.go
var Source embed.FS

// Replaced says what an overlay puts the twin in the place of, if path is the
// import path of the twin.
func Replaced(path string) map[string]string {
	return map[string]string{"sync/atomic": path, "shmbench/shm/register": path}
}

// Waiting is Replaced with package spin replaced too. Waits are reported, and neither pause
// nor yield.
func Waiting(path string) map[string]string {
	replaced := Replaced(path)
	replaced["shmbench/shm/spin"] = path
	return replaced
}
