//go:build unix

package main

import "syscall"

const (
	hangup    = syscall.SIGHUP
	interrupt = syscall.SIGINT
	terminate = syscall.SIGTERM
)

// What is in TMPDIR once a go command builds, and once the work has begun of a verb
// that works in a child.
const (
	building = "shmbench-go-*/go-build*"
	guarding = "shmbench-guard-*/count"
)

// lengthy is a measurement that takes minutes, and brief is one that is soon done.
const (
	lengthy = "run -alg ^tas/tas$ -procs 1 -count 1000 -d 100ms -o out.txt"
	brief   = "run -alg ^tas/tas$ -procs 1 -count 3 -d 100ms -o out.txt"
)

var cutOff = map[string]string{"out.txt": `\n(# )?ended: interrupted after \d+ of 1000 samples\n$`}

// sent are signals to the program, and toAll those to its process group.
func sent(signals ...syscall.Signal) []syscall.Signal { return signals }

func toAll(signal syscall.Signal) []syscall.Signal { return sent(-signal) }

// commandLines is the table of TestCommandLines.
var commandLines = []typedLine{
	// An output that is an input, or that cannot be.
	{line: "report -o run.txt run.txt", status: 2, says: "shmbench report: -o run.txt: the command reads this file: name another to write to\n"},
	{line: "report -o data/run.txt data", status: 2, says: "shmbench report: -o data/run.txt: the command reads this file: name another to write to\n"},
	{line: "report -o data/new.txt data", status: 2, says: "shmbench report: -o data/new.txt: the command reads the .txt and .json files in data: name the page .html\n"},
	{line: "report -o data run.txt", status: 2, says: "shmbench report: -o data: this is a folder: name a file in it\n"},
	{line: "report -o no/page.html run.txt", status: 2, says: "shmbench report: -o no/page.html: there is no folder no\n"},
	{line: "report -o data/page.html data", makes: map[string]string{"data/page.html": "<html"}},
	{line: "all -o data/cards.json -dir data -parts cards", status: 2, says: "shmbench all: -o data/cards.json: the command reads this file: name another to write to\n"},
	{line: "check -replay run.txt -html run.txt", status: 2, says: "shmbench check: -html and -replay both name run.txt: name two files\n"},
	{line: "predict -fit run.txt -o run.txt -topology cores=4", status: 2, says: "shmbench predict: -fit and -o both name run.txt: name two files\n"},
	{line: "dist explore -alg raymond -tree file:tree.txt -scenario tree.txt", status: 2, says: "shmbench dist explore: -scenario tree.txt: the command reads this file: name another to write to\n"},
	{line: "dist replay -scenario ./trace.txt -html trace.txt", status: 2, says: "shmbench dist replay: -html and -scenario both name ./trace.txt: name two files\n"},
	{line: "run -o run.txt -alg ^tas/tas$", status: 2, says: "shmbench run: run.txt has results already: name another file, or remove it first\n"},
	{line: "check -dot graph.dot -procs 2 -alg ^peterson/", status: 2, says: "shmbench check: -dot draws one lock, and -alg \\^peterson/ matches \\d+\n"},

	// A name or a number that is none.
	{line: "report -charts . -alg nosuch run.txt", status: 2, says: "shmbench report: -alg nosuch: no measured lock matches; there are tas/tas and others\n"},
	{line: "report -charts charts -alg mcs data", says: "shmbench report: no chart latency: it was not measured\nshmbench report: no chart waiting: it was not measured\n",
		makes: map[string]string{"charts/": "", "charts/cost.svg": "<svg"}},
	{line: "predict -procs 0", status: 2, says: "shmbench predict: -procs 0: the number of processes must be between 1 and 1024\n"},
	{line: "list -procs 0", status: 2, says: "shmbench list: -procs 0: the number of processes must be between 1 and 1024\n"},
	{line: "list -class=", status: 2, says: "shmbench list: -class \"\": the value must not be empty; leave -class out for the default\n"},
	{line: "all -o page.html -parts=", status: 2, says: "shmbench all: -parts \"\": the value must not be empty; leave -parts out for the default\n"},

	// Flags that would change nothing.
	{line: "predict -machines -procs 2", status: 2, says: "shmbench predict: -procs 2: -machines lists the presets, and predicts nothing\n"},
	{line: "list -short -exhibits", status: 2, says: "shmbench list: -short: -exhibits lists all that -alg matches\n"},
	{line: "all -o page.html -parts cards -count 3", status: 2, says: "shmbench all: -count 3: it changes none of the parts that are asked for\n"},
	{line: "run -alg ^tas/tas$ -reruns 3", status: 2, says: "shmbench run: -reruns 3: it goes with -aa\n"},
	{line: "run -alg ^tas/tas$ -forks 2 -cpuprofile p", status: 2, says: "shmbench run: -cpuprofile and -exectrace go without -forks, which measures in other programs\n"},
	{line: "run -alg ^tas/tas$ -topology sockets=2", status: 2, says: "shmbench run: -topology sockets=2: it is for the locks of family numa, and none of them is chosen\n"},
	{line: "dist run -list -nodes 3", status: 2, says: "shmbench dist run: -nodes 3: -list lists the names, and does nothing else\n"},
	{line: "dist run -alg central -heal-after 1s", status: 2, says: "shmbench dist run: -heal-after 1s: it goes with -cut-every\n"},
	{line: "dist explore -alg central -mermaid -json", status: 2, says: "shmbench dist explore: -mermaid goes without -json\n"},

	// A standard output that takes nothing.
	{line: "list", stdout: "closed"},
	{line: "-h", stdout: "closed"},
	{line: "list -h", stdout: "closed"},
	{line: "list", stdout: "full", status: 2, says: "shmbench list: standard output: .*no space left on device\n"},
	{line: "-h", stdout: "full", status: 2, says: "shmbench: standard output: .*no space left on device\n"},

	// Interrupted while it measures: the file says so.
	{line: lengthy, begun: "out.txt", signals: sent(hangup), status: 3, says: "shmbench run: interrupted after \\d+ of 1000 samples\n", makes: cutOff},
	{line: lengthy, begun: "out.txt", signals: toAll(hangup), status: 3, says: "shmbench run: interrupted after \\d+ of 1000 samples\n", makes: cutOff},
	{line: lengthy, begun: "out.txt", beside: brief, refusal: "shmbench run: out.txt is being written by another program: name another file\n",
		signals: sent(interrupt), status: 3, says: "shmbench run: interrupted after \\d+ of 1000 samples\n", makes: cutOff},
	{line: lengthy, begun: "out.txt", signals: sent(terminate), status: 3, says: "shmbench run: interrupted after \\d+ of 1000 samples\n", makes: cutOff},
	{line: lengthy + " -forks 1000", begun: "out.txt", signals: toAll(terminate), status: 3, says: "shmbench run: interrupted after \\d+ of 1000 samples\n", makes: cutOff},
	{line: brief, begun: "out.txt", ignores: true, signals: sent(hangup), makes: map[string]string{"out.txt": `\n(# )?ended: complete\n$`}},

	// Interrupted while it builds.
	{line: "stress -perturb -alg ^tas/tas$", source: true, cold: true, begun: building, signals: toAll(interrupt), status: 3, says: "shmbench stress: interrupted: nothing was stressed\n"},
	{line: "stress -perturb -alg ^tas/tas$", source: true, cold: true, begun: building, signals: sent(hangup), status: 3, says: "shmbench stress: interrupted: nothing was stressed\n"},
	{line: "stress -perturb -alg ^tas/tas$", source: true, cold: true, begun: building, signals: sent(terminate, terminate), status: 3, says: "(shmbench stress: interrupted: nothing was stressed\n)?"},
	{line: "stress -pkg ./tas", source: true, cold: true, begun: building, signals: toAll(hangup), status: 3, says: "shmbench stress: interrupted: nothing was stressed\n"},
	{line: "predict -alg ^tas/tas$ -procs 1", source: true, cold: true, begun: building, signals: sent(terminate), status: 3, says: "shmbench predict: interrupted: 0 of 1 points were worked out\n"},
	{line: "predict -pkg ./tas -procs 1", source: true, cold: true, begun: building, signals: sent(interrupt), status: 3, says: "shmbench predict: interrupted: 0 of 1 points were worked out\n"},
	{line: "check -alg ^tas/tas$", source: true, cold: true, begun: building, signals: toAll(terminate), status: 3, says: "shmbench check: interrupted; 0 reports were finished\n"},

	// Interrupted while a child works.
	{line: "dist explore -alg lamport -nodes 4 -requests 0 -max-states 1000000000", begun: guarding, signals: sent(hangup), status: 3, says: "shmbench dist explore: interrupted after \\d+ states: nothing is decided\n"},
	{line: "dist explore -alg lamport -nodes 4 -requests 0 -max-states 1000000000", begun: guarding, signals: toAll(terminate), status: 3, says: "shmbench dist explore: interrupted after \\d+ states: nothing is decided\n"},
	{line: "dist explore -alg lamport -nodes 4 -requests 0 -max-states 1000000000", begun: guarding, signals: sent(interrupt, interrupt, interrupt), status: 3, says: "(shmbench dist explore: interrupted after \\d+ states: nothing is decided\n)?"},
}
