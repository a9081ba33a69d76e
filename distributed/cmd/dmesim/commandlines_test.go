//go:build unix

package main

import (
	"syscall"
	"testing"

	"shmbench/internal/testkit/clitest"
	"shmbench/internal/testkit/sample"
)

// guarding is what is in TMPDIR once the work has begun of a verb that works in a child.
const guarding = "dmesim-guard-*/count"

// endless is a search that does not end.
const endless = "explore -alg lamport -nodes 4 -requests 0 -max-states 1000000000"

// commandLines is the table of TestCommandLines.
var commandLines = []clitest.TypedLine{
	{Line: "explore -alg raymond -shape file:tree.txt -o tree.txt", Status: 2, Says: "dmesim explore: -o tree.txt: the command reads this file: name another to write to\n"},
	{Line: "replay ./trace.mmd -o trace.mmd", Status: 2, Says: "dmesim replay: -o trace.mmd: the command reads this file: name another to write to\n"},
	{Line: "explore -alg raymond -nodes 2 -o trace.txt", Status: 0, Says: "dmesim explore: -o trace.txt is not written: no violation was found, so there is no trace\n"},
	{Line: "run bully", Status: 2, Says: "dmesim run: -alg bully: there is no algorithm of this name; bully is an election: dmesim elect simulates it\n"},
	{Line: "elect -alg raymond", Status: 2, Says: "dmesim elect: -alg raymond: no algorithm matches; raymond is no election: dmesim run simulates it\n"},
	{Line: "list -nodes 3", Status: 2, Says: "dmesim list: no flag -nodes; dmesim list -h lists the flags\n"},
	{Line: "run central -faults heal", Status: 2, Says: "dmesim run: -faults heal: \"heal\" is no fault: want faults such as .*\n"},
	{Line: "elect -table -ring random", Status: 2, Says: "dmesim elect: -table cannot be combined with -ring\n"},
	{Line: endless, Begun: guarding, Signals: clitest.Sent(syscall.SIGHUP), Status: 3, Says: "dmesim explore: interrupted after \\d+ states: nothing is decided\n"},
	{Line: endless, Begun: guarding, Signals: clitest.ToAll(syscall.SIGTERM), Status: 3, Says: "dmesim explore: interrupted after \\d+ states: nothing is decided\n"},
	{Line: endless, Begun: guarding, Signals: clitest.Sent(syscall.SIGINT, syscall.SIGINT, syscall.SIGINT), Status: 3, Says: "(dmesim explore: interrupted after \\d+ states: nothing is decided\n)?"},
}

func TestCommandLines(t *testing.T) {
	sample.NeedsAll(t)
	clitest.CommandLines(t, commandLines, map[string]string{"trace.mmd": "an old trace", "tree.txt": "0 0 0"})
}
