package locktest_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/machine/race"
)

// TestModuleUnderTheRaceDetector: go test -race in a user's module reports nothing
// of a correct lock, and the data race of one that has one. It compiles the module
// and what it imports for the race detector, and so runs only where that is asked for.
func TestModuleUnderTheRaceDetector(t *testing.T) {
	if !race.Enabled {
		t.Skip("it needs -race")
	}
	checkout, err := filepath.Abs("..")
	require.NoError(t, err)
	module, err := filepath.Abs("testdata/module")
	require.NoError(t, err)
	workspace := filepath.Join(t.TempDir(), "go.work")
	require.NoError(t, os.WriteFile(workspace, fmt.Appendf(nil, "go 1.26.0\n\nuse (\n\t%q\n\t%q\n)\n", checkout, module), 0o644))
	test := func(pattern string) (string, error) {
		cmd := exec.CommandContext(t.Context(), "go", "test", "-race", "-run", pattern, ".")
		cmd.Dir, cmd.Env = module, append(os.Environ(), "GOWORK="+workspace)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	out, err := test("^TestTicket")
	require.NoError(t, err, out)
	for _, name := range []string{"TestPlain", "TestPlainStressed"} {
		out, err = test("^" + name + "$")
		require.Error(t, err, out)
		require.Contains(t, out, "WARNING: DATA RACE")
		require.Regexp(t, `mylock\.go:\d+`, out, "it names the line")
	}
}
