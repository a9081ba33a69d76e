package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"shmbench/internal/testkit/clitest"
	"shmbench/internal/testkit/sample"
)

// TestScripts runs commands as a user types them, in the files of
// testdata/script. Lines that begin with [all] need the flag -all.
func TestScripts(t *testing.T) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	goEnv, err := exec.Command("go", "env", "GOCACHE", "GOMODCACHE", "GOPATH").Output()
	require.NoError(t, err)
	values := strings.Split(strings.TrimSpace(string(goEnv)), "\n")
	scripts, err := filepath.Glob("testdata/script/*.txt")
	require.NoError(t, err)
	for _, script := range scripts {
		runScript(t, script, root, values)
	}
}

// runScript runs a script as a subtest, in a folder of its own.
func runScript(t *testing.T, script, root string, values []string) {
	testscript.Run(t, testscript.Params{
		Files: []string{script},
		Setup: func(e *testscript.Env) error {
			e.Setenv("ROOT", root)
			e.Setenv("XDG_CACHE_HOME", filepath.Join(e.WorkDir, ".cache"))
			program, err := exec.LookPath("shmbench")
			if err != nil {
				return err
			}
			e.Setenv("SHMBENCH", filepath.Dir(program))
			for i, key := range []string{"GOCACHE", "GOMODCACHE", "GOPATH"} {
				e.Setenv(key, strings.TrimSpace(values[i]))
			}
			return nil
		},
		Condition: func(name string) (bool, error) {
			if name != "all" {
				return false, fmt.Errorf("there is no condition %q", name)
			}
			return sample.All(), nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){"status": clitest.Status},
	})
}
