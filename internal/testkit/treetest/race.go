package treetest

import (
	"os/exec"
	"strings"
	"testing"
)

// HasRace reports whether "go build -race" has what it needs here: cgo and a C compiler. Any
// other error of such a build is a defect.
func HasRace(t testing.TB) bool {
	t.Helper()
	out, err := exec.Command("go", "env", "CGO_ENABLED", "CC").Output()
	if err != nil {
		t.Fatal(err)
	}
	enabled, compiler, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	program, _, _ := strings.Cut(compiler, " ") // options may follow
	_, err = exec.LookPath(program)
	return enabled == "1" && err == nil
}
