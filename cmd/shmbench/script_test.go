package main

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"shmbench/internal/sample"
)

// TestScripts runs commands as a user types them, in the files of
// testdata/script. Lines that begin with [all] are for -all only.
func TestScripts(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the compiler")
	}
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	goEnv, err := exec.Command("go", "env", "GOCACHE", "GOMODCACHE", "GOPATH").Output()
	require.NoError(t, err)
	values := strings.Split(strings.TrimSpace(string(goEnv)), "\n")
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
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
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){"status": statusOf},
	})
}

// statusOf is the command "status N shmbench …" of scripts: shmbench must exit
// with N and say no more than a line on standard error if N is 2.
func statusOf(ts *testscript.TestScript, _ bool, args []string) {
	err := ts.Exec(args[1], args[2:]...)
	got := "0"
	var exit *exec.ExitError
	if err != nil {
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = strings.TrimPrefix(exit.Error(), "exit status ")
	}
	diag := ts.ReadFile("stderr")
	if got != args[0] {
		ts.Fatalf("exit status %s, want %s", got, args[0])
	}
	if got == "2" && strings.Count(diag, "\n") != 1 {
		ts.Fatalf("wrong use is answered in %d lines", strings.Count(diag, "\n"))
	}
	if strings.Contains(diag, "goroutine ") {
		ts.Fatalf("a stack trace")
	}
}
