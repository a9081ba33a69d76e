package clitest

import (
	"errors"
	"os/exec"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// Status is the command "status N PROGRAM …" of scripts: the program must exit
// with N and say no more than a line on standard error if N is 2.
func Status(ts *testscript.TestScript, _ bool, args []string) {
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
