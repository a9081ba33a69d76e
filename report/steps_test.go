package report

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/page/steps"
)

// lasso is a trace as check writes it.
const lasso = `{"property": "starvation freedom", "unclaimed": true, "origin": {"package": "shmbench/catalog", "list": "All", "algorithm": "tas/tas"},
	"n": 2, "memory": "sc", "end": "process 0 stays", "cycle": 2, "code": ["tas/tas.go:81", "gone.go:1"], "steps": [
	{"process": 1, "file": "tas/tas.go", "line": 82, "label": "1", "op": "swap", "register": "busy[10]", "before": "false", "after": "true", "section": "critical", "turn": "enters"},
	{"process": 0, "file": "tas/tas.go", "line": 82, "label": "1", "op": "load", "register": "busy[9]", "before": "7", "after": "7", "section": "entry"},
	{"process": 1, "file": "tas/tas.go", "line": 94, "label": "2", "op": "store", "register": "busy[10]", "before": "true", "after": "false", "section": "remainder", "turn": "is done"},
	{"process": 1, "file": "tas/tas.go", "line": 82, "label": "1", "op": "swap", "register": "busy[10]", "before": "false", "after": "true", "section": "critical", "turn": "enters"}]}`

func traces(all ...string) []byte {
	return []byte(`{"format": "shmbench check -trace 1", "complete": true, "results": [` + strings.Join(all, ",") +
		`], "sources": {"tas/tas.go:81": "func Lock() {\n\tfor l.busy.Swap(true) { // 1\n\t}\n}", "other.go:1": "no"}}`)
}

// shown is what the page has for its script.
func shown(t *testing.T, in *Input) (s steps.Data) {
	t.Helper()
	var b strings.Builder
	require.NoError(t, in.WriteSteps(&b))
	m := regexp.MustCompile(`(?s)<script type="application/json" id="steps">(.*?)</script>`).FindStringSubmatch(b.String())
	require.NoError(t, json.Unmarshal([]byte(m[1]), &s))
	return s
}

func TestStepsOfATrace(t *testing.T) {
	in := new(Input)
	in.Add("t.json", traces(lasso, lasso))
	require.Empty(t, in.Missing)
	s := shown(t, in)
	require.Equal(t, map[string]string{"tas/tas.go:81": "func Lock() {\n\tfor l.busy.Swap(true) { // 1\n\t}\n}"}, s.Sources)
	require.Len(t, s.Executions, 2)
	e := s.Executions[0]
	require.NotEqual(t, e.ID, s.Executions[1].ID)
	require.Equal(t, []steps.Cell{{Name: "busy[9]", Value: "7"}, {Name: "busy[10]", Value: "false"}}, e.Cells)
	require.Equal(t, []steps.Set{{Cell: 1, Value: "true", By: 1}}, e.Steps[0].Sets)
	require.Empty(t, e.Steps[1].Sets, "a load")
	require.Equal(t, []steps.Set{{Cell: 1, Value: "false", By: 1}}, e.Steps[2].Sets)
	require.Equal(t, steps.Act{By: 1, File: "tas/tas.go", Line: 82, Label: "1", Text: "swap busy[10]: false → true", Section: "critical", Turn: "enters"}, e.Steps[0].Acts[0])
	require.Equal(t, 2, e.Cycle)
	require.Equal(t, "shmbench check -alg '^tas/tas$' -procs 2 -replay 1,0/1,1", e.Command)
	require.Equal(t, []string{"tas/tas.go:81"}, e.Code)
}

// What is in a store buffer is not in memory, and a schedule says when it arrives.
func TestStepsWithStoreBuffers(t *testing.T) {
	in := new(Input)
	in.Add("t.json", traces(`{"property": "mutual exclusion", "origin": {"package": "./my lock", "constructor": "NewIt"}, "n": 1, "memory": "tso", "unfenced": true, "cycle": -1, "steps": [
		{"op": "call", "after": "RLock"},
		{"op": "store", "register": "x", "before": "0", "after": "1", "buffered": true},
		{"op": "load", "register": "y", "before": "0", "after": "0"},
		{"op": "flush", "register": "x", "before": "0", "after": "1"}]}`))
	e := shown(t, in).Executions[0]
	require.Equal(t, []string{"process 0: x := 1"}, e.Steps[2].Under)
	require.Empty(t, e.Steps[1].Sets)
	require.Equal(t, []steps.Set{{Cell: 0, Value: "1", By: 0}}, e.Steps[3].Sets)
	require.Empty(t, e.Steps[3].Under)
	require.Equal(t, "shmbench check './my lock:NewIt' -procs 1 -memory tso -replay 0:RLock,0,0,0:flush", e.Command)
}

// The path of a package is an argument of check, and its import path is none.
func TestStepsOfAnImportPath(t *testing.T) {
	in := new(Input)
	in.Add("t.json", traces(`{"property": "mutual exclusion", "origin": {"package": "example.com/mylock", "constructor": "New"}, "n": 1, "cycle": -1, "steps": [
		{"op": "load", "register": "y", "before": "0", "after": "0"}]}`))
	e := shown(t, in).Executions[0]
	require.Empty(t, e.Command)
	require.Contains(t, e.Note, "An import path names the package")
}

// No schedule has a crash, so that only a file of traces replays it.
func TestStepsWithACrash(t *testing.T) {
	in := new(Input)
	in.Add("t.json", traces(`{"property": "re-entry", "origin": {"package": "shmbench/catalog", "list": "All", "algorithm": "recoverable/rtas"}, "n": 2, "memory": "sc", "crashes": "1", "cycle": -1, "steps": [
		{"process": 1, "op": "crash", "label": "4", "before": "entry", "section": "remainder"}]}`))
	e := shown(t, in).Executions[0]
	require.Equal(t, "crashes before 4", e.Steps[0].Acts[0].Text)
	require.Empty(t, e.Command)
	require.Contains(t, e.Note, "check -o FILE.json writes this execution to a file")
}

// A lock that panics before its first access has a counterexample without a step.
func TestAPanicBeforeTheFirstAccess(t *testing.T) {
	in := new(Input)
	in.Add("t.json", traces(`{"property": "panic freedom", "origin": {"package": "./two", "constructor": "New"}, "n": 3, "cycle": -1, "end": "process 2 panics", "steps": []}`))
	require.Empty(t, in.Missing)
	e := shown(t, in).Executions[0]
	require.Equal(t, "What goes wrong: process 2 panics.", e.Says)
	require.Equal(t, "two/New", e.Of)
	require.Empty(t, e.Command)
	require.NotNil(t, e.Steps, "the page has a list")
}

// What cannot be stepped through is said to be missing, and markup stays text.
func TestStepsThatAreNone(t *testing.T) {
	in := new(Input)
	in.Add("t.json", traces(`{"n": 2, "cycle": -1, "steps": [{"process": 2}]}`, `{"n": 0}`, `{"n": 1, "cycle": 5, "steps": [{}]}`, strings.ReplaceAll(lasso, "busy", `</script><script>alert(1)`)))
	require.Equal(t, []Missing{{File: "t.json", What: "3 entries are not understood"}}, in.Missing)
	var b strings.Builder
	require.NoError(t, in.WriteSteps(&b))
	require.Equal(t, 1, strings.Count(b.String(), "<script>"))
}

// The page of a lock has of what it lacks the execution of the fewest processes, its
// variants' results, and its code with the labels; a report that shares the verdicts of
// another has no execution of its own.
func TestThePageOfALock(t *testing.T) {
	in := new(Input)
	three := strings.Replace(strings.Replace(lasso, `"n": 2`, `"n": 3`, 1), "process 0 stays", "of three", 1)
	check := func(name, shared string, n, trace string) string {
		return `{"algorithm": "` + name + `", "shared_with": "` + shared + `", "n": ` + n + `, "code": ["tas/tas.go:81"], "counterexamples": [` + trace + `]}`
	}
	in.Add("c.json", []byte(`{"format": "shmbench check 1", "complete": true, "results": [`+
		strings.Join([]string{check("tas/tas", "", "3", three), check("tas/tas", "", "2", lasso), check("tas/tas-packed", "tas/tas", "2", lasso)}, ",")+
		`], "sources": {"tas/tas.go:81": "func Lock() {\n\tfor l.busy.Swap(true) { // 1\n\t}\n}"}}`))
	in.Add("m/run.txt", []byte(text("A", []int{1}, map[string]float64{"tas-tas": 10, "tas-tas-packed": 20})))
	in.Add("specs.json", []byte(`{"format": "shmbench list 1", "complete": true, "results": [{"name": "tas/tas", "class": "test-and-set", "max_procs": 8, "title": "Test-and-set",
		"accesses": {"loads": 1, "stores": 2, "rmws": 3}, "published_rmr": {"cc": "O(1)", "in": "A paper"},
		"claims": {"references": {"cc_write_back": "n+2", "dsm": "unbounded"}}}, {"name": "tas/tas-packed", "variant_of": "tas/tas", "class": "test-and-set", "max_procs": 8}]}`))
	require.Empty(t, in.Missing)
	require.Len(t, in.Executions, 2)
	pages, others := in.locks(in.shown())
	require.Empty(t, others)
	require.Len(t, pages, 1)
	p := pages[0]
	require.Len(t, p.Executions, 1)
	require.Equal(t, "What can happen, as the lock does not claim starvation freedom: process 0 stays.", p.Executions[0].Says)
	require.Len(t, p.Verdicts.Rows, 3)
	require.Len(t, p.Results.Rows, 2)
	require.Contains(t, p.Spec, [2]string{"a passage alone", "1 loads, 2 stores, 3 read-modify-writes"})
	require.Contains(t, p.Spec, [2]string{"remote references, as published", "O(1) with coherent caches (A paper)"})
	require.Contains(t, p.Spec, [2]string{"most remote references of a passage", "n+2 with write-back caches, unbounded with distributed memory"})
	require.Equal(t, []function{{"tas/tas.go:81", []line{{81, "func Lock() {", ""}, {82, "\tfor l.busy.Swap(true) {", "1"}, {83, "\t}", ""}, {84, "}", ""}}}}, p.Code)
	require.Empty(t, p.Lacking)

	in = new(Input)
	in.Add("m/run.txt", []byte(text("A", []int{1}, map[string]float64{"tas-tas": 10})))
	pages, _ = in.locks(nil)
	require.Equal(t, []string{"no specification: shmbench list -json has them", "no verdict: shmbench check -json has them"}, pages[0].Lacking)
}
