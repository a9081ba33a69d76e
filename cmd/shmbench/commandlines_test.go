//go:build unix

package main

import (
	"syscall"
	"testing"

	"shmbench/internal/testkit/clitest"
	"shmbench/internal/testkit/sample"
)

const (
	hangup    = syscall.SIGHUP
	interrupt = syscall.SIGINT
	terminate = syscall.SIGTERM
)

// building is what is in TMPDIR once a go command builds.
const building = "shmbench-go-*/go-build*"

// lengthy is a measurement that takes minutes, and brief is one that is soon done.
const (
	lengthy = "run -alg ^tas/tas$ -procs 1 -count 1000 -d 100ms -o out.txt"
	brief   = "run -alg ^tas/tas$ -procs 1 -count 3 -d 100ms -o out.txt"
)

var cutOff = map[string]string{"out.txt": `\n(# )?ended: interrupted after \d+ of 1000 samples\n$`}

// commandLines is the table of TestCommandLines.
var commandLines = []clitest.TypedLine{
	// An output that is an input, or that cannot be.
	{Line: "report -o run.txt run.txt", Status: 2, Says: "shmbench report: -o run.txt: the command reads this file: name another to write to\n"},
	{Line: "report -o data/run.txt data", Status: 2, Says: "shmbench report: -o data/run.txt: the command reads this file: name another to write to\n"},
	{Line: "report -o data/new.txt data", Status: 2, Says: "shmbench report: -o data/new.txt: the command reads the .txt and .json files in data: name the page .html\n"},
	{Line: "report -o data run.txt", Status: 2, Says: "shmbench report: -o data: this is a folder: name a file in it\n"},
	{Line: "report -o no/page.html run.txt", Status: 2, Says: "shmbench report: -o no/page.html: there is no folder no\n"},
	{Line: "report -o data/page.html data", Makes: map[string]string{"data/page.html": "<html"}},
	{Line: "check -replay run.html -o run.html", Status: 2, Says: "shmbench check: -o and -replay both name run.html: name two files\n"},
	{Line: "run -o run.txt -alg ^tas/tas$", Status: 2, Says: "shmbench run: run.txt has results already: name another file, or remove it first\n"},
	{Line: "check -checkpoint c -safety -procs 2 -alg ^peterson/", Status: 2, Says: "shmbench check: -checkpoint keeps the search of one lock, and -alg \\^peterson/ matches \\d+\n"},
	{Line: "check -checkpoint c -safety peterson/peterson", Status: 2, Says: "shmbench check: -checkpoint keeps the search of one lock for one number of processes: give -procs with one\n"},
	{Line: "check -o graph.dot -procs 2 -alg ^peterson/", Status: 2, Says: "shmbench check: -o graph.dot draws one lock, and -alg \\^peterson/ matches \\d+\n"},

	// A name or a number that is none.
	{Line: "report -o ./ -alg nosuch run.txt", Status: 2, Says: "shmbench report: -alg nosuch: no measured lock matches; there are tas/tas and others\n"},
	{Line: "report -o charts/ -alg mcs data", Says: "shmbench report: no chart latency: it was not measured\nshmbench report: no chart waiting: it was not measured\n",
		Makes: map[string]string{"charts/": "", "charts/cost.svg": "<svg"}},
	{Line: "predict -procs 0", Status: 2, Says: "shmbench predict: -procs 0: the number of processes must be between 1 and 1024\n"},
	{Line: "list -procs 0", Status: 2, Says: "shmbench list: -procs 0: the number of processes must be between 1 and 1024\n"},
	{Line: "list -class=", Status: 2, Says: "shmbench list: -class \"\": the value must not be empty; leave -class out for the default\n"},
	{Line: "all -o page.html -parts=", Status: 2, Says: "shmbench all: -parts \"\": the value must not be empty; leave -parts out for the default\n"},

	// Flags that would change nothing.
	{Line: "predict machines -procs 2", Status: 2, Says: "shmbench predict machines: no flag -procs; shmbench predict machines -h lists the flags\n"},
	{Line: "list -short -known-broken", Status: 2, Says: "shmbench list: -short: -known-broken lists all that -alg matches\n"},
	{Line: "all -o page.html -parts specs -count 3", Status: 2, Says: "shmbench all: -count 3: it changes none of the parts that are asked for\n"},
	{Line: "selfcheck -reruns 0 -count 3", Status: 2, Says: "shmbench selfcheck: -reruns 0 cannot be combined with -count\n"},
	{Line: "run -alg ^tas/tas$ -topology sockets=2", Status: 2, Says: "shmbench run: -topology sockets=2: it is for the locks of family numa, and none of them is chosen\n"},

	// A standard output that takes nothing.
	{Line: "list", Stdout: "closed"},
	{Line: "-h", Stdout: "closed"},
	{Line: "list -h", Stdout: "closed"},
	{Line: "list", Stdout: "full", Status: 2, Says: "shmbench list: standard output: .*no space left on device\n"},
	{Line: "-h", Stdout: "full", Status: 2, Says: "shmbench: standard output: .*no space left on device\n"},

	// Interrupted while it measures: the file says so.
	{Line: lengthy, Begun: "out.txt", Signals: clitest.Sent(hangup), Status: 3, Says: "shmbench run: interrupted after \\d+ of 1000 samples\n", Makes: cutOff},
	{Line: lengthy, Begun: "out.txt", Signals: clitest.ToAll(hangup), Status: 3, Says: "shmbench run: interrupted after \\d+ of 1000 samples\n", Makes: cutOff},
	{Line: lengthy, Begun: "out.txt", Beside: brief, Refusal: "shmbench run: out.txt is being written by another program: name another file\n",
		Signals: clitest.Sent(interrupt), Status: 3, Says: "shmbench run: interrupted after \\d+ of 1000 samples\n", Makes: cutOff},
	{Line: lengthy, Begun: "out.txt", Signals: clitest.Sent(terminate), Status: 3, Says: "shmbench run: interrupted after \\d+ of 1000 samples\n", Makes: cutOff},
	{Line: lengthy + " -forks 1000", Begun: "out.txt", Signals: clitest.ToAll(terminate), Status: 3, Says: "1000 measurements in 1000 programs: 1000 samples\nshmbench run: interrupted after \\d+ of 1000 samples\n", Makes: cutOff},
	{Line: brief, Begun: "out.txt", Ignores: true, Signals: clitest.Sent(hangup), Makes: map[string]string{"out.txt": `\n(# )?ended: complete\n$`}},

	// Interrupted while it builds.
	{Line: "stress -perturb -alg ^tas/tas$", Source: true, Cold: true, Begun: building, Signals: clitest.ToAll(interrupt), Status: 3, Says: "shmbench stress: interrupted: nothing was stressed\n"},
	{Line: "stress -perturb -alg ^tas/tas$", Source: true, Cold: true, Begun: building, Signals: clitest.Sent(hangup), Status: 3, Says: "shmbench stress: interrupted: nothing was stressed\n"},
	{Line: "stress -perturb -alg ^tas/tas$", Source: true, Cold: true, Begun: building, Signals: clitest.Sent(terminate, terminate), Status: 3, Says: "(shmbench stress: interrupted: nothing was stressed\n)?"},
	{Line: "stress ./tas", Source: true, Cold: true, Begun: building, Signals: clitest.ToAll(hangup), Status: 3, Says: "shmbench stress: interrupted: nothing was stressed\n"},
	{Line: "predict -alg ^tas/tas$ -procs 1", Source: true, Cold: true, Begun: building, Signals: clitest.Sent(terminate), Status: 3, Says: "shmbench predict: interrupted: 0 of 1 points were worked out\n"},
	{Line: "predict ./tas -procs 1", Source: true, Cold: true, Begun: building, Signals: clitest.Sent(interrupt), Status: 3, Says: "shmbench predict: interrupted: 0 of 1 points were worked out\n"},
	{Line: "check -alg ^tas/tas$", Source: true, Cold: true, Begun: building, Signals: clitest.ToAll(terminate), Status: 3, Says: "shmbench check: interrupted; 0 reports were finished\n"},
}

func TestCommandLines(t *testing.T) {
	sample.NeedsAll(t)
	clitest.CommandLines(t, commandLines, commandFiles)
}

// commandFiles are the files in the folder of a command line.
var commandFiles = map[string]string{
	"run.txt":       resultsOf("tas-tas"),
	"data/run.txt":  resultsOf("tas-tas"),
	"data/more.txt": resultsOf("queue-mcs"),
	"old.html":      "an old page",
	"graph.dot":     "an old graph",
}
