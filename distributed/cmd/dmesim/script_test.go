package main

import (
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"shmbench/internal/testkit/clitest"
)

// TestScripts runs commands as a user types them, in the files of testdata/script.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:  "testdata/script",
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){"status": clitest.Status},
	})
}
