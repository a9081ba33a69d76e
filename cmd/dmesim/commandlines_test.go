//go:build unix

package main

import (
	"syscall"
	"testing"

	"shmbench/internal/clitest"
)

// guarding is what is in TMPDIR once the work has begun of a verb that works in a child.
const guarding = "dmesim-guard-*/count"

// endless is a search that does not end.
const endless = "explore -alg lamport -nodes 4 -requests 0 -max-states 1000000000"

// commandLines is the table of TestCommandLines.
var commandLines = []clitest.TypedLine{
	{Line: "explore -alg raymond -tree file:tree.txt -scenario tree.txt", Status: 2, Says: "dmesim explore: -scenario tree.txt: the command reads this file: name another to write to\n"},
	{Line: "replay -scenario ./trace.txt -html trace.txt", Status: 2, Says: "dmesim replay: -html and -scenario both name ./trace.txt: name two files\n"},
	{Line: "run -list -nodes 3", Status: 2, Says: "dmesim run: -nodes 3: -list lists the names, and does nothing else\n"},
	{Line: "run -alg central -heal-after 1s", Status: 2, Says: "dmesim run: -heal-after 1s: it goes with -cut-every\n"},
	{Line: "explore -alg central -mermaid -json", Status: 2, Says: "dmesim explore: -mermaid goes without -json\n"},
	{Line: endless, Begun: guarding, Signals: clitest.Sent(syscall.SIGHUP), Status: 3, Says: "dmesim explore: interrupted after \\d+ states: nothing is decided\n"},
	{Line: endless, Begun: guarding, Signals: clitest.ToAll(syscall.SIGTERM), Status: 3, Says: "dmesim explore: interrupted after \\d+ states: nothing is decided\n"},
	{Line: endless, Begun: guarding, Signals: clitest.Sent(syscall.SIGINT, syscall.SIGINT, syscall.SIGINT), Status: 3, Says: "(dmesim explore: interrupted after \\d+ states: nothing is decided\n)?"},
}

func TestCommandLines(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	clitest.CommandLines(t, commandLines, map[string]string{"trace.txt": "an old trace", "tree.txt": "0 0 0"})
}
