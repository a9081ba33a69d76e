package report

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/bench"
	"shmbench/check"
	"shmbench/check/lockstep"
	"shmbench/internal/page/steps"
	"shmbench/shm"
)

func TestNumber(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", 0.00012345: "0.000123", 0.0000012345: "0.000001", 0.012345: "0.0123", 0.1: "0.100", 1: "1.00", 9.994: "9.99",
		10: "10.0", 99.94: "99.9", 100: "100", 123.6: "124", 1234567: "1234567", -0.5: "-0.500", -250.4: "-250", math.Inf(1): "?", math.Inf(-1): "?",
	} {
		require.Equal(t, want, number(v))
	}
	require.Equal(t, "?", number(math.NaN()))
}

func TestTwo(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 0.0394: "0.039", 0.9949: "0.99", 0.9951: "1.0", 4.31: "4.3", 9.96: "10", 25.4: "25", 123.4: "123", math.Inf(1): "?"} {
		require.Equal(t, want, two(v), v)
	}
}

// TestScaled: a median has an interval if there are enough samples, and otherwise the text says
// why it has none.
func TestScaled(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   string
	}{
		{[]float64{2}, "20.0 (one sample)"},
		{[]float64{1, 3}, "20.0 (no interval: 2 samples, it takes 6)"},
		{[]float64{1, 2, 3, 4, 5}, "30.0 (no interval: 5 samples, it takes 6)"},
		{[]float64{1, 2, 3, 4, 5, 6}, "35.0 [10.0, 60.0]"},
	} {
		require.Equal(t, c.want, scaled(c.values, 10))
	}
}

func TestTimes(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		low, high float64
		want      string
	}{
		{1.9, 2.1, "2.00 times as long [1.90, 2.10]"}, {inf, 2.1, "2.00 times as long"}, {1.9, inf, "2.00 times as long"},
		{nan, 2.1, "2.00 times as long"}, {1.9, nan, "2.00 times as long"}, {0, 2.1, "2.00 times as long"}, {-1, 2.1, "2.00 times as long"},
		{0.01, 2.1, "2.00 times as long [0.0100, 2.10]"},
	} {
		require.Equal(t, c.want, times(2, c.low, c.high))
	}
}

func TestChance(t *testing.T) {
	for p, want := range map[float64]string{0: "< 0.001", 0.0009: "< 0.001", 0.001: "0.001", 0.0126: "0.013", 1: "1.000"} {
		require.Equal(t, want, chance(p))
	}
}

func specOf(t *testing.T, text string) Spec {
	var s bench.Specification
	require.NoError(t, json.Unmarshal([]byte(text), &s))
	return Spec{s}
}

// TestTheRowsOfASpecification: each row has its text, and a row without a text is left out.
func TestTheRowsOfASpecification(t *testing.T) {
	little := specOf(t, `{"name": "a/b", "class": "swap"}`)
	require.Equal(t, [][2]string{{"operations", "swap"}, {"claims", "bypass " + little.Claims.Bypass.String()}}, little.rows())
	much := specOf(t, `{"name": "a/b", "class": "read/write", "min_procs": 2, "max_procs": 8, "modes": ["exclusive", "try"],
		"source": {"author": "A. Author", "title": "On locks", "venue": "Journal", "page": "7-9", "year": 1999}, "reconstructed": true, "simplified": "a fast path",
		"space": [{"name": "turn", "count": "1", "values": "n"}, {"name": "flag", "count": "n", "values": "2", "single_writer": true}],
		"claims": {"deadlock_free": true, "fcfs": true, "doorway": "3", "local_spin": {"cc": true, "dsm": true},
			"weakest": {"exclusion": "safe", "deadlock_free": "regular", "starvation_free": "atomic"}}}`)
	much.Invariants = []shm.Invariant{{Name: "one turn"}, {Name: "one flag"}}
	rows := map[string]string{}
	for _, row := range much.rows() {
		rows[row[0]] = row[1]
	}
	require.Equal(t, map[string]string{
		"source":                          "A. Author, On locks, Journal, 7-9, 1999 (reconstructed from secondary sources) (simplified: without a fast path)",
		"operations":                      "read/write",
		"processes":                       "2 to 8",
		"modes":                           "exclusive, try",
		"claims":                          "deadlock-free, first come, first served, bypass " + much.Claims.Bypass.String() + ", the doorway ends at line 3",
		"registers":                       "turn: 1 of n values; flag: n of 2 values, each with one writer",
		"weakest registers":               "exclusion on safe, deadlock freedom on regular, starvation freedom on atomic",
		"remote references bounded with":  "coherent caches, distributed memory",
		"lemmas that hold in every state": "one turn, one flag",
	}, rows)
	require.Equal(t, "1999", Spec{bench.Specification{Algorithm: shm.Algorithm{Source: shm.Source{Year: 1999}}}}.cited())
	require.Contains(t, specOf(t, `{"name": "a/b", "class": "swap", "claims": {"deadlock_free": true, "starvation_free": true}}`).claims(), "starvation-free, bypass")
	require.Equal(t, "distributed memory", specOf(t, `{"name": "a/b", "class": "swap", "claims": {"local_spin": {"dsm": true}}}`).localSpin())
}

// TestWordsOfAVerdict: what a verdict says of bounds, registers and the specification.
func TestWordsOfAVerdict(t *testing.T) {
	number := func(n int) *int { return &n }
	require.Equal(t, "not known", boundOf(nil))
	require.Equal(t, "unbounded", boundOf(number(-1)))
	require.Equal(t, "0", boundOf(number(0)))
	of := func(text string) *Check {
		c := new(Check)
		require.NoError(t, json.Unmarshal([]byte(text), c))
		return c
	}
	require.Equal(t, "as it says", of(`{"algorithm": "a/b"}`).spec())
	require.Equal(t, "none: published, and wrong", of(`{"algorithm": "knownbroken/b"}`).spec())
	require.Equal(t, "DISAGREES: x; y", of(`{"algorithm": "knownbroken/b", "disagreements": ["x", "y"]}`).spec())
	require.Empty(t, of(`{"algorithm": "a/b"}`).references(shm.WriteBack))
	require.Equal(t, "p: 3, q: 2 of 4 values, t: 1 unbounded", of(`{"registers": [{"name": "p", "count": 3}, {"name": "q", "count": 2, "values": 4}, {"name": "t", "count": 1, "unbounded": true, "values": 9}]}`).space())
	row := of(`{"algorithm": "a/b", "n": 3, "modes": {}, "states": 7}`).row()
	require.Equal(t, "a/b, all modes", row[0])
	require.Equal(t, "7, not all", row[len(row)-1])
	row = of(`{"algorithm": "a/b", "n": 3, "states": 7, "exhausted": true}`).row()
	require.Equal(t, "a/b", row[0])
	require.Equal(t, "7", row[len(row)-1])
}

// TestSays: the sentence above an execution says whether it violates a claim.
func TestSays(t *testing.T) {
	require.Equal(t, "both enter", says(&check.Trace{End: "both enter"}))
	require.Empty(t, says(&check.Trace{Property: "x"}))
	require.Equal(t, "What goes wrong: both enter.", says(&check.Trace{Property: "x", End: "both enter"}))
	require.Equal(t, "What can happen, as the lock does not claim x: both enter.", says(&check.Trace{Property: "x", End: "both enter", Unclaimed: true}))
}

// TestViewable: the viewer shows a trace of some processes with steps of these processes, whose
// cycle is none or begins at a step.
func TestViewable(t *testing.T) {
	of := func(n, cycle int, by ...int) *check.Trace {
		tr := &check.Trace{N: n, Cycle: cycle}
		for _, p := range by {
			tr.Steps = append(tr.Steps, check.Step{Process: p})
		}
		return tr
	}
	require.True(t, viewable(of(2, -1, 0, 1)))
	require.True(t, viewable(of(steps.MostColumns, 1, 0, steps.MostColumns-1)))
	require.True(t, viewable(&check.Trace{N: 1, Cycle: -1, Property: "x"}), "without a step")
	require.True(t, viewable(of(1, -1, make([]int, steps.MostSteps)...)))
	for name, tr := range map[string]*check.Trace{
		"no processes": of(0, -1), "too many processes": of(steps.MostColumns+1, -1, 0), "a step of another process": of(2, -1, 0, 2),
		"a step of no process": of(2, -1, -1), "a cycle before -1": of(2, -2, 0), "a cycle after the steps": of(2, 1, 0),
		"no step and no property": of(2, -1), "too many steps": of(1, -1, make([]int, steps.MostSteps+1)...),
	} {
		require.False(t, viewable(tr), name)
	}
}

// TestTitlesOfExecutions: a title says what an execution shows, and on which memory.
func TestTitlesOfExecutions(t *testing.T) {
	for _, c := range []struct {
		trace           check.Trace
		title, id, kind string
	}{
		{check.Trace{Property: "exclusion"}, "against exclusion, n = 2", "exclusion n = 2", ""},
		{check.Trace{Property: "exclusion", Unclaimed: true}, "without exclusion, which it does not claim, n = 2", "exclusion n = 2", ""},
		{check.Trace{}, "as it is scheduled, n = 2", "scheduled n = 2", ""},
		{check.Trace{Bound: "bypass"}, "bypass, n = 2", "bypass n = 2", ""},
		{check.Trace{Property: "exclusion", Memory: "tso"}, "against exclusion, n = 2, total store order", "exclusion n = 2, total store order", "Store buffers"},
		{check.Trace{Property: "exclusion", Memory: "sc", RegisterModel: "safe", Mixed: true}, "against exclusion, n = 2, safe registers, all modes", "exclusion n = 2, safe registers, all modes", ""},
	} {
		c.trace.N, c.trace.Cycle = 2, -1
		e := executionOf(&c.trace)
		require.Equal(t, c.title, e.Title)
		require.Equal(t, c.id, e.ID)
		require.Equal(t, c.kind, e.Under)
		require.Len(t, e.Columns, 2)
	}
}

// TestNamed: a lock without a name in a list has that of its constructor.
func TestNamed(t *testing.T) {
	for path, want := range map[string]string{"./mylock": "mylock/New", "example.com/a/b": "b/New", ".": "New", "..": "New", "../..": "New"} {
		require.Equal(t, want, named(check.Origin{Package: path, Constructor: "New"}), path)
	}
}

// TestSectionsOfSteps: a step has its section if its process was in another one before.
func TestSectionsOfSteps(t *testing.T) {
	e := executionOf(&check.Trace{N: 2, Cycle: -1, Steps: []check.Step{
		{Process: 0, Section: "entry"}, {Process: 1, Section: "entry"}, {Process: 0, Section: "entry"}, {Process: 0, Section: "critical"}, {Process: 1, Section: "entry"}, {Process: 0, Section: "entry"},
	}})
	var sections []string
	for _, s := range e.Steps {
		sections = append(sections, s.Acts[0].Section)
	}
	require.Equal(t, []string{"entry", "entry", "", "critical", "", "entry"}, sections)
}

// TestCommand: the command that replays a trace, or the reason why there is none.
func TestCommand(t *testing.T) {
	const same = "It makes the same accesses on the compiled code."
	own := check.Origin{Package: "./mylock", Constructor: "NewIt"}
	listed := check.Origin{Package: "shmbench/catalog", List: "All", Algorithm: "a/b"}
	placed := listed
	placed.Paths = [][]int{{0}, {1}}
	broken := check.Origin{Package: "shmbench/catalog/knownbroken", List: "All", Algorithm: "a/b"}
	for _, c := range []struct {
		trace      check.Trace
		line, note string
	}{
		{check.Trace{Origin: own}, "shmbench check ./mylock:NewIt -procs 2 -replay 1", same},
		{check.Trace{Origin: listed}, "shmbench check -alg '^a/b$' -procs 2 -replay 1", same},
		{check.Trace{Origin: listed, Unfenced: true}, "shmbench check -alg '^a/b$' -procs 2 -memory tso -replay 1", same},
		{check.Trace{Origin: broken}, "shmbench check -known-broken -alg '^a/b$' -procs 2 -replay 1", same},
		{check.Trace{Origin: placed}, "", "The processes are where -topology had them"},
		{check.Trace{Origin: listed, Crashes: "1"}, "", "Processes crash"},
		{check.Trace{Origin: listed, RegisterModel: "safe"}, "", "A schedule is not replayed on registers that are not atomic"},
		{check.Trace{Origin: check.Origin{Package: "example.com/mylock", Constructor: "New"}}, "", "An import path names the package"},
	} {
		c.trace.N, c.trace.Cycle, c.trace.Steps = 2, -1, []check.Step{{Process: 1, Op: "load"}}
		line, note := command(&c.trace)
		require.Equal(t, c.line, line)
		require.Contains(t, note, c.note)
	}
	line, note := command(&check.Trace{Origin: listed, N: 2, Steps: []check.Step{{Process: 1}, {Process: 0}}, Cycle: 0})
	require.Contains(t, line, "-replay /")
	require.Contains(t, note, "a hundred times those of the loop")
	line, note = command(&check.Trace{Origin: listed, N: 2, Cycle: -1})
	require.Empty(t, line)
	require.Equal(t, "No process has accessed shared memory before.", note)
}

// TestAnExecutionInLockstep: a synchronous execution has a step for each step of a round, with
// the lines of all processes. One with a process that it does not have is not shown.
func TestAnExecutionInLockstep(t *testing.T) {
	access := func(by int, register, op, before, after string) check.Step {
		return check.Step{Process: by, File: "f.go", Line: 10 + by, Op: op, Register: register, Before: before, After: after, Section: "entry"}
	}
	report := func() lockstep.Report {
		return lockstep.Report{Algorithm: "a/b", N: 2, Entries: []int{1, 0}, Code: []string{"f.go:1"}, Rounds: []lockstep.Round{
			{Number: 1, Steps: [][]lockstep.Line{
				{{Process: 0, Label: "1", Accesses: []check.Step{access(0, "x", "store", "0", "1"), access(0, "y", "load", "5", "5")}}, {Process: 1, Label: "2", Does: "enters"}},
				{{Process: 1, Label: "3"}},
			}},
			{Number: 2, Steps: [][]lockstep.Line{{{Process: 0, Label: "4", Accesses: []check.Step{access(0, "", "call", "", "")}}}}},
		}}
	}
	add := func(r lockstep.Report) *Input {
		in := new(Input)
		text, err := json.Marshal(map[string]any{"format": "shmbench lockstep 1", "complete": true, "results": r})
		require.NoError(t, err)
		in.Add("l.json", text)
		return in
	}
	in := add(report())
	require.Empty(t, in.Missing)
	e := in.Executions[0]
	require.Equal(t, "in lockstep, n = 2", e.Title)
	require.Contains(t, e.Says, "They enter in the order 1, 0.")
	require.Equal(t, -1, e.Cycle)
	require.Equal(t, []steps.Cell{{Name: "x", Value: "0"}, {Name: "y", Value: "5"}}, e.Cells)
	require.Len(t, e.Steps, 3)
	var parts []string
	for _, s := range e.Steps {
		parts = append(parts, s.Part)
	}
	require.Equal(t, []string{"round 1", "", "round 2"}, parts)
	require.Equal(t, []steps.Set{{Cell: 0, Value: "1", By: 0}}, e.Steps[0].Sets)
	first := e.Steps[0].Acts
	require.Len(t, first, 2)
	require.Equal(t, textOf(access(0, "x", "store", "0", "1"))+", "+textOf(access(0, "y", "load", "5", "5")), first[0].Text)
	require.Equal(t, []any{"f.go", 10, "entry", "1", 0}, []any{first[0].File, first[0].Line, first[0].Section, first[0].Label, first[0].By})
	require.Equal(t, "enters", first[1].Turn)

	for name, change := range map[string]func(*lockstep.Report){
		"a line of process 2":     func(r *lockstep.Report) { r.Rounds[0].Steps[1][0].Process = 2 },
		"a line of process -1":    func(r *lockstep.Report) { r.Rounds[0].Steps[1][0].Process = -1 },
		"an access of process 2":  func(r *lockstep.Report) { r.Rounds[0].Steps[0][0].Accesses[1].Process = 2 },
		"an access of process -1": func(r *lockstep.Report) { r.Rounds[0].Steps[0][0].Accesses[0].Process = -1 },
		"no step":                 func(r *lockstep.Report) { r.Rounds = nil },
		"too many processes":      func(r *lockstep.Report) { r.N = steps.MostColumns + 1 },
		"too many steps":          func(r *lockstep.Report) { r.Rounds[0].Steps = make([][]lockstep.Line, steps.MostSteps) },
	} {
		r := report()
		change(&r)
		require.False(t, viewableRounds(&r), name)
	}
	r := report()
	r.N = steps.MostColumns
	r.Rounds[0].Steps = make([][]lockstep.Line, steps.MostSteps-1)
	require.True(t, viewableRounds(&r))
	r.N = 0
	require.False(t, viewableRounds(&r), "no process")
	require.Len(t, add(r).Missing, 1)
}

// TestPagesToPlay: a lock links to the pages of shmbench play that have it, or to the exercises
// of such a page. A page of another kind is said to be missing.
func TestPagesToPlay(t *testing.T) {
	page := func(text string) []byte {
		return []byte("<!DOCTYPE html>\n" + `<script type="application/json" id="document">` + text + `</script>`)
	}
	in := &Input{Dir: "out"}
	in.Add("out/p.html", page(`{"documents": [{"lock": "a/b", "n": 2}, {"lock": "a/c", "n": 3, "edits": ["move 4 after 5", "drop 1"]}]}`))
	in.Add("e f.html", page(`{"documents": [{"lock": "a/b", "n": 2}], "exercises": [{"title": "first", "document": 0}, {"title": "none", "document": 1}, {"title": "none", "document": -1}, {"title": "last", "document": 0}]}`))
	require.Empty(t, in.Missing)
	in.Add("n.html", page(`{"documents": []}`))
	in.Add("j.html", page(`{`))
	in.Add("h.html", []byte("<!DOCTYPE html>\n<p>"))
	for _, m := range in.Missing {
		require.Equal(t, "is no page that shmbench play has written", m.What)
	}
	require.Len(t, in.Missing, 3)
	pages := map[string]*lockPage{"a/b": {}, "a/c": {}}
	in.toPlay(func(name string) *lockPage { return pages[name] })
	require.Equal(t, []playLink{
		{"p.html", "step 2 processes by hand"},
		{"../e%20f.html#exercise=1", "exercise 1: first"}, {"../e%20f.html#exercise=4", "exercise 4: last"},
	}, pages["a/b"].Play)
	require.Equal(t, []playLink{{"p.html", "step 3 processes by hand, with the lock changed: move 4 after 5; drop 1"}}, pages["a/c"].Play)
}

// TestKnow: of the specifications that are known, those are added whose locks the files are
// about and that no file has.
func TestKnow(t *testing.T) {
	in := new(Input)
	in.Add("specs.json", []byte(lockSpecs))
	in.Add("m/run.txt", []byte(text("A", []int{1}, map[string]float64{"queue-mcs": 20, "own-measured": 10})))
	in.Add("c.json", []byte(`{"format": "shmbench check 1", "complete": true, "results": [{"algorithm": "own/checked", "n": 2}]}`))
	in.Add("s.json", []byte(`{"format": "shmbench stress 1", "complete": true, "results": [{"algorithm": "own/stressed", "outcomes": [{"name": "passages", "grade": "acceptable", "count": 7}]}]}`))
	require.Empty(t, in.Missing)
	before := len(in.Specs)
	var known []bench.Specification
	for _, name := range []string{"own/checked", "queue/mcs", "own/other", "own/measured", "own/stressed"} {
		known = append(known, bench.Specification{Algorithm: shm.Algorithm{Name: name}})
	}
	in.Know(known)
	var added []string
	for _, c := range in.Specs[before:] {
		added = append(added, c.Name)
	}
	require.Equal(t, []string{"own/checked", "own/measured", "own/stressed"}, added)
}
