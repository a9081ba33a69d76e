package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"
)

// TestMain lets the test program be its own child, as the program is.
func TestMain(m *testing.M) {
	child(context.Background())
	testscript.Main(inScratch{m}, map[string]func(){"shmbench": main, "hangs": hangs})
}

// inScratch runs the tests with a cache folder of their own, so that run keeps nothing in
// the user's. The go command keeps its cache.
type inScratch struct{ tests *testing.M }

func (s inScratch) Run() int {
	out, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	folder, err := os.MkdirTemp("", "shmbench-cache")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(folder)
	os.Setenv("GOCACHE", strings.TrimSpace(string(out)))
	os.Setenv("XDG_CACHE_HOME", folder)
	return s.tests.Run()
}

// hangs is a shmbench whose only verb never ends by itself.
func hangs() {
	grace = time.Hour
	verbs = []verb{{Name: "hang", Setup: setupHang}}
	main()
}

func setupHang(fs *flag.FlagSet) body {
	var asJSON bool
	jsonFlag(fs, &asJSON)
	return func(_ context.Context, e env, _ []string) error {
		if !asJSON {
			fmt.Fprintln(e.Stdout, "hanging")
		}
		select {}
	}
}

// shmbench runs a command line and returns what it printed and its status.
func shmbench(ctx context.Context, args ...string) (stdout, stderr string, status int) {
	var out, err bytes.Buffer
	status = run(ctx, env{Stdout: &out, Stderr: &err}, args)
	return out.String(), err.String(), status
}

// decode reads the results of what -json printed.
func decode(t *testing.T, out string, results any) {
	t.Helper()
	document := struct {
		Format   string
		Complete bool
		Results  any
	}{Results: results}
	require.NoError(t, json.Unmarshal([]byte(out), &document), out)
	require.Regexp(t, `^shmbench [a-z ]+ 1$`, document.Format)
}

func TestHelpOfEveryVerb(t *testing.T) {
	out, _, code := shmbench(t.Context(), "-h")
	require.Equal(t, exitHolds, code)
	for _, v := range verbs {
		require.Contains(t, out, v.Name)
		help, errs, code := shmbench(t.Context(), append(strings.Fields(v.Name), "-h")...)
		require.Equal(t, exitHolds, code, v.Name)
		require.Empty(t, errs, v.Name)
		require.Contains(t, help, "usage: shmbench "+v.Name)
		require.Contains(t, help, "example:\n  shmbench "+v.Name, v.Name)
	}
}

func TestWrongUseIsOneLineAndExitsTwo(t *testing.T) {
	t.Chdir(t.TempDir()) // a probe for -o would change this folder, and go test would not cache the result
	cases := map[string]string{
		"lst":                                   `shmbench: no verb "lst"; did you mean "list"?`,
		"measure":                               `shmbench: no verb "measure"; "shmbench -h" lists the verbs`,
		"list -jsn":                             "shmbench list: no flag -jsn; did you mean -json?",
		"list -verbose":                         "shmbench list: no flag -verbose; shmbench list -h lists the flags",
		"predict machines all":                  `shmbench predict machines: unexpected argument "all": this verb takes flags only`,
		"lockstep queue/mcss":                   `shmbench lockstep: queue/mcss: there is no lock of this name; did you mean "queue/mcs"?`,
		"list queue":                            `shmbench list: queue is a family: shmbench list -alg queue lists its locks`,
		"list -cite queue":                      `shmbench list: queue is a family: shmbench list -alg queue lists its locks`,
		"list -variants queue/mcs":              "shmbench list: -variants: a name prints one lock in full: write -alg queue/mcs to list it",
		"check -procs 99999999999999999999":     "shmbench check: -procs 99999999999999999999: the number of processes must be between 1 and 16",
		"check -procs every,2":                  "shmbench check: -procs every,2: every cannot be combined with numbers",
		"check -procs evry":                     `shmbench check: -procs evry: "evry" is not a whole number; a list is like 1,2,4, or every`,
		"check -mutants -known-broken":          "shmbench check: -mutants cannot be combined with -known-broken",
		"check -edit delete_2":                  `shmbench check: -edit delete_2: "delete_2" is no edit: expected "delete 4", "replace 4 with CODE", "replace 4: OLD => NEW", "insert before 4: CODE", "insert after 4: CODE", "move 4 after 5", "move 4 before 3" or "in NAME: OLD => NEW"`,
		"predict peterson/peterson -procs 3":    "shmbench predict: -procs 3: peterson/peterson: cannot be built for n = 3, only for 1 to 2",
		"run peterson/peterson -procs 3":        "shmbench run: nothing to measure: peterson/peterson: cannot be built for n = 3, only for 1 to 2",
		"run -pin threads tas/tas":              `shmbench run: unexpected argument "threads": write -pin=threads`,
		"run -alg tas/tas -pin threads":         `shmbench run: unexpected argument "threads": write -pin=threads`,
		"predict -machine . queue/mcs":          "shmbench predict: -machine .: this is a folder: name a file in it",
		"check -replay .":                       "shmbench check: -replay .: this is a folder: name a file in it",
		"check -replay no/file":                 "shmbench check: -replay no/file: there is no such file",
		"compare . .":                           "shmbench compare: .: this is a folder: name a file in it",
		"completion":                            "shmbench: completion: name one shell: bash, zsh, fish",
		"list queue/mcss":                       `shmbench list: queue/mcss: there is no lock of this name; did you mean "queue/mcs"?`,
		"list queue/mcs tas/tas":                `shmbench list: "tas/tas": give one name, or -alg with a regular expression`,
		"list queue/mcs -has fcfs":              "shmbench list: -has fcfs: a name prints one lock in full: write -alg queue/mcs to list it",
		"list -json=7":                          "shmbench list: -json 7: write true or false",
		"run -cs 100":                           "shmbench run: -cs 100: write a time with its unit, such as 200ns, or sweep",
		"run -count x":                          "shmbench run: -count x: write a whole number",
		"check -o x.txt":                        "shmbench check: -o x.txt: the ending must be .html for a page, .json for the executions as data, or .dot for a graph",
		"check -o x.html:1":                     "shmbench check: -o x.html:1: the ending must be .html for a page, .json for the executions as data, or .dot for a graph",
		"check -o x.html -o y.html":             "shmbench check: -o y.html: x.html is given already: name one file with this ending",
		"check tas/tas -procs 2 -o x.dot:2":     "shmbench check: -o x.dot:2: there is no process 2: the processes are 0 to 1",
		"check tas/tas -o x.dot":                "shmbench check: -o x.dot draws one lock for one number of processes: give -procs with one",
		"check -mutants -o x.dot":               "shmbench check: -o x.dot cannot be combined with -mutants",
		"check -replay 0,1 -o x.json":           "shmbench check: -o x.json cannot be combined with -replay",
		"check -o no/folder/x.html":             "shmbench check: -o no/folder/x.html: there is no folder no/folder",
		"lockstep queue/mcs tas/tas":            `shmbench lockstep: unexpected argument "tas/tas": give one name`,
		"play hyman":                            "shmbench play: hyman: there is no lock of this name; knownbroken/hyman was published and is wrong: shmbench check -known-broken -alg knownbroken/hyman shows it",
		"play knownbroken/hymen":                `shmbench play: knownbroken/hymen: there is no known-broken lock of this name; did you mean "knownbroken/hyman"?`,
		"play mutants/mcs-never-loked":          `shmbench play: mutants/mcs-never-loked: there is no mutant of this name; did you mean "mutants/mcs-never-locked"?`,
		"play knownbroken/hyman -edit delete_2": `shmbench play: -edit delete_2: "delete_2" is no edit: expected "delete 4", "replace 4 with CODE", "replace 4: OLD => NEW", "insert before 4: CODE", "insert after 4: CODE", "move 4 after 5", "move 4 before 3" or "in NAME: OLD => NEW"`,
		"play tas/tas -course":                  `shmbench play: unexpected argument "tas/tas": the course has its own locks`,
		"play":                                  "shmbench play: a page plays one lock: give its name, the path of its package, or -course",
		"check mutants/mcs-never-locked":        "shmbench check: -alg mutants/mcs-never-locked: no lock matches; mutants/mcs-never-locked is a mutant: shmbench check -mutants -alg mutants/mcs-never-locked shows it",
		"check knownbroken/hyman":               "shmbench check: -alg knownbroken/hyman: no lock matches; knownbroken/hyman was published and is wrong: shmbench check -known-broken -alg knownbroken/hyman shows it",
		"stress mutants/mcs-never-locked":       "shmbench stress: -alg mutants/mcs-never-locked: no lock matches; mutants/mcs-never-locked is a mutant: shmbench check -mutants -alg mutants/mcs-never-locked shows it",
		"list knownbroken/hyman":                "shmbench list: knownbroken/hyman: there is no lock of this name; knownbroken/hyman was published and is wrong: shmbench check -known-broken -alg knownbroken/hyman shows it",
		"report -o x/ -json":                    "shmbench report: -o x/ writes charts, and cannot be combined with -json",
		"report -alg queue":                     "shmbench report: -alg queue: it chooses the locks of the charts that -o FOLDER/ writes",
		"artifact verify a b":                   "shmbench artifact verify: give the one folder of the artifact",
		"lockstep -o x.json":                    "shmbench lockstep: -o x.json: the ending must be .html",
		"play -o x.txt bakery/lamport":          "shmbench play: -o x.txt: the ending must be .html",
		"list -class rmww":                      "shmbench list: -class rmww: a class is rw, rmw, opaque, or names that the list shows, joined by +",
		"list -registers weak":                  `shmbench list: -registers weak: the model of registers must be atomic, regular or safe`,
		"list -has fast":                        `shmbench list: -has fast: "fast" is no property; the properties are abortable, bounded, bounded-bypass, deadlock-free, fcfs, local-spin-cc, local-spin-dsm, reader-writer, reconstructed, simplified, single-writer, starvation-free, try`,
		"list -procs -1":                        "shmbench list: -procs -1: the number of processes must be between 1 and 1024",
		"list -known-broken -has fcfs":          "shmbench list: -has fcfs: -known-broken lists all that -alg matches",
		"list -short -alg tas":                  "shmbench list: -alg tas: -short lists what run measures",
		"list -alg far":                         `shmbench list: -alg far: no lock matches; shmbench list shows the names`,
		"run -alg knownbroken/peterson-regular": `shmbench run: -alg knownbroken/peterson-regular: no lock matches; knownbroken/peterson-regular was published and is wrong: shmbench check -known-broken -alg knownbroken/peterson-regular shows it`,
		"list -alg bakry":                       `shmbench list: -alg bakry: no lock matches; did you mean "bakery/lamport"?`,
	}
	for line, says := range cases {
		out, errs, code := shmbench(t.Context(), strings.Fields(line)...)
		require.Equal(t, exitUsage, code, line)
		require.Empty(t, out, line)
		require.Equal(t, says+"\n", errs, line)
	}
}

// TestHelpBeforeTheVerb: "help VERB" is "VERB -h".
func TestHelpBeforeTheVerb(t *testing.T) {
	for _, v := range []string{"check", "predict fit"} {
		want, _, _ := shmbench(t.Context(), append(strings.Fields(v), "-h")...)
		out, errs, code := shmbench(t.Context(), append([]string{"help"}, strings.Fields(v)...)...)
		require.Equal(t, exitHolds, code)
		require.Empty(t, errs)
		require.Equal(t, want, out)
	}
	_, errs, code := shmbench(t.Context(), "help", "chekc")
	require.Equal(t, exitUsage, code)
	require.Equal(t, "shmbench: no verb \"chekc\"; did you mean \"check\"?\n", errs)
}

// TestEditNeedsALock: -edit without a lock says how to name one.
func TestEditNeedsALock(t *testing.T) {
	_, errs, code := shmbench(t.Context(), "check", "-edit", "delete 2")
	require.Equal(t, exitUsage, code)
	require.Equal(t, "shmbench check: -edit changes one lock: give its name, as in shmbench check peterson/peterson -edit 'delete 2'\n", errs)
}

func TestNoVerbShowsTheVerbs(t *testing.T) {
	out, errs, code := shmbench(t.Context())
	require.Equal(t, exitUsage, code)
	require.Empty(t, out)
	require.Contains(t, errs, "list the locks by family")
	for _, g := range goals {
		require.Contains(t, errs, "\n"+g.Text+":\n  "+g.Commands[0])
	}
}

func TestExitStatusOfErrors(t *testing.T) {
	cases := []struct {
		err  error
		code int
		says string
	}{
		{nil, exitHolds, ""},
		{errViolated, exitViolated, ""},
		{cutShort("%d of 2", 1), exitUndecided, "shmbench verb: 1 of 2\n"},
		{context.Canceled, exitUndecided, "shmbench verb: interrupted\n"},
		{errors.New("bad n"), exitUsage, "shmbench verb: bad n\n"},
	}
	for _, c := range cases {
		var out, errs bytes.Buffer
		v := verb{Name: "verb", Setup: func(*flag.FlagSet) body {
			return func(context.Context, env, []string) error { return c.err }
		}}
		require.Equal(t, c.code, theProgram().RunVerb(context.Background(), v, env{Stdout: &out, Stderr: &errs}, nil))
		require.Equal(t, c.says, errs.String())
	}
}

func TestListAsJSON(t *testing.T) {
	out, _, code := shmbench(t.Context(), "list", "-json")
	require.Equal(t, exitHolds, code)
	var specs []map[string]any
	decode(t, out, &specs)
	require.NotEmpty(t, specs)
	for _, spec := range specs {
		for _, field := range []string{"name", "class", "min_procs", "max_procs", "claims", "space", "source"} {
			require.Contains(t, spec, field, spec["name"])
		}
	}
	first := specs[0]["invariants"].([]any)[0].(map[string]any)
	require.Equal(t, "lemma 1", first["name"])
	require.Contains(t, first["source"], "title")
}

// resultsOf is a file of results of one lock.
func resultsOf(alg string) string {
	text := "Unit ns/op better=lower\ncpu: A CPU\n"
	for i := range 9 {
		text += "BenchmarkPassage/alg=" + alg + "/procs=2/cs=0/ncs=0 1 " + strconv.Itoa(100+i) + " ns/op\n"
	}
	return text
}
