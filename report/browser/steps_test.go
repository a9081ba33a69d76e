package browser

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// Executions: one that breaks exclusion, loops of two locks, one with store buffers.
var (
	hyman  = execution("hyman", "-known-broken", "-alg", "hyman")
	tas    = execution("tas", "-alg", "^tas/tas$", "-procs", "2")
	dekker = execution("dekker", "-alg", "^dekker/dekker$", "-procs", "2")
	modes  = execution("modes", "-alg", "^tas/tas-released$", "-procs", "2")
	tso    = execution("tso", "-alg", "^peterson/peterson$", "-procs", "2", "-memory", "tso")

	correct = execution("correct", "-alg", "^bakery/lamport$", "-procs", "2", "-passages", "1")

	// panics is a lock for two processes with three, which has no step.
	panics = once("panics.html", func(t *testing.T, path string) {
		folder := filepath.Join(dir, "two")
		require.NoError(t, os.MkdirAll(folder, 0o777))
		for name, text := range map[string]string{"go.mod": "module two\n\ngo 1.26\n", "two.go": `package two

import "sync/atomic"

type Lock struct{ q [2]atomic.Bool }

func New(n int) *Lock { return new(Lock) }

func (l *Lock) Lock(i int) {
	for l.q[i].Store(true); l.q[1-i].Load(); {
	}
}

func (l *Lock) Unlock(i int) { l.q[i].Store(false) }
`} {
			require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666))
		}
		cmd := exec.Command(filepath.Join(dir, "shmbench"), "check", ".", "-procs", "3", "-o", path)
		cmd.Dir = folder
		out, _ := cmd.CombinedOutput() // its status says that the lock is wrong
		require.Contains(t, string(out), "panic freedom is violated")
	})

	lockstep = once("lockstep.html", func(t *testing.T, path string) { shmbench(t, "lockstep", "-procs", "4", "-o", path) })
	played   = once("played.html", func(t *testing.T, path string) {
		ran(t, "dmesim", "replay", "ricart-agrawala", "-o", path)
	})
)

func execution(name string, args ...string) made {
	return once(name+".html", func(t *testing.T, path string) {
		shmbench(t, append([]string{"check", "-replays", "0", "-o", path, "-o", filepath.Join(dir, name+".json")}, args...)...)
	})
}

// trace is an execution as check -o FILE.json has it.
type trace struct {
	N     int
	Cycle int
	Steps []struct {
		Process, Line                      int
		Op, Register, Before, After, Label string
		Section                            string
		Buffered                           bool
	}
}

func traces(t *testing.T, name string) []trace {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name+".json"))
	require.NoError(t, err)
	var document struct{ Results []trace }
	require.NoError(t, json.Unmarshal(text, &document))
	require.NotEmpty(t, document.Results)
	return document.Results
}

// view is all that the viewer shows.
type view struct {
	Now, Output string
	At          []string // number of the line that each process has executed last
	Acts        []bool
	Places      []string
	Cells       map[string][2]string // value, and the process that wrote it
	Changed     []string
	Under       []string
	Current     string // the step that is marked in the table of all
}

// see is the viewer of the execution that is open at k of the page's.
func (x *tab) see(k int) view {
	x.t.Helper()
	return eval[view](x, fmt.Sprintf(`(() => {
	const v = document.querySelectorAll(".execution")[%d].querySelector(".viewer"), all = (s) => [...v.querySelectorAll(s)];
	const text = (s) => v.querySelector(s).textContent;
	const rows = all(".cells tbody tr").filter((r) => !r.hidden);
	return { Now: text(".now"), Output: text("output"),
		At: all(".column").map((c) => c.dataset.at || ""),
		Acts: all(".column").map((c) => c.classList.contains("acts")), Places: all(".place").map((p) => p.textContent),
		Cells: Object.fromEntries(rows.map((r) => [r.cells[0].textContent, [r.cells[1].textContent, r.cells[2].textContent]])),
		Changed: rows.filter((r) => r.classList.contains("changed")).map((r) => r.cells[0].textContent),
		Under: all(".under li").map((l) => l.textContent),
		Current: (v.querySelector(".all [aria-current] th") || { textContent: "" }).textContent };
})()`, k))
}

// press presses a key, on nothing in particular.
func (x *tab) press(key string) {
	x.t.Helper()
	x.do(chromedp.KeyEvent(key))
}

// held compares the viewer with a trace after k steps.
func held(t *testing.T, tr trace, k int, v view) {
	t.Helper()
	at, places := make([]string, tr.N), make([]string, tr.N)
	cells, by, last := map[string]string{}, map[string]string{}, map[string]int{}
	for _, s := range tr.Steps {
		if s.Register != "" {
			if _, known := cells[s.Register]; !known {
				cells[s.Register] = s.Before
			}
		}
	}
	var under []string
	buffers := make([][]string, tr.N)
	for i, s := range tr.Steps[:k] {
		if places[s.Process] = s.Section; s.Op != "flush" {
			at[s.Process] = fmt.Sprint(s.Line)
		}
		switch {
		case s.Buffered:
			buffers[s.Process] = append(buffers[s.Process], fmt.Sprintf("process %d: %s := %s", s.Process, s.Register, s.After))
			continue
		case s.Op == "flush":
			buffers[s.Process] = buffers[s.Process][1:]
		case s.Op == "load" || s.Op == "pass" || s.Op == "call" || s.Op == "poll" || s.Op == "compare-and-swap" && s.Before == s.After:
			continue
		}
		cells[s.Register], by[s.Register], last[s.Register] = s.After, fmt.Sprintf("process %d", s.Process), i
	}
	for _, b := range buffers {
		under = append(under, b...)
	}
	for i := range places {
		places[i] = strings.TrimSpace(places[i])
		require.Contains(t, v.Places[i], places[i], "step %d", k)
		require.Equal(t, places[i] == "critical", strings.HasPrefix(v.Places[i], "▣"), "step %d", k)
	}
	require.Equal(t, at, v.At, "step %d", k)
	require.Len(t, v.Cells, len(cells))
	for name, value := range cells {
		writer := by[name]
		changed := writer != "" && last[name] == k-1
		if changed {
			writer += ", now"
			require.Equal(t, []string{name}, v.Changed, "step %d", k)
		}
		require.Equal(t, [2]string{value, writer}, v.Cells[name], "%s after step %d", name, k)
	}
	require.ElementsMatch(t, under, v.Under, "step %d", k)
	require.True(t, strings.HasPrefix(v.Output, fmt.Sprintf("step %d of %d", k, len(tr.Steps))), v.Output)
	require.Equal(t, tr.Cycle >= 0 && k > tr.Cycle, strings.Contains(v.Output, "in the loop"))
	if k == 0 {
		require.Equal(t, "The beginning.", v.Now)
		require.Empty(t, v.Current)
		return
	}
	s := tr.Steps[k-1]
	require.Equal(t, fmt.Sprint(k), v.Current)
	require.Contains(t, v.Now, fmt.Sprintf("process %d: ", s.Process))
	require.Contains(t, v.Now, s.Register)
	for p, acts := range v.Acts {
		require.Equal(t, p == s.Process, acts, "step %d", k)
	}
}

// Every step of every trace is shown as the file has it, forward and back, by button
// and by key.
func TestStepsBothWays(t *testing.T) {
	for name, page := range map[string]made{"hyman": hyman, "tas": tas, "dekker": dekker, "tso": tso, "modes": modes} {
		t.Run(name, func(t *testing.T) {
			x := open(t, page(t), "")
			all := traces(t, name)
			require.Equal(t, len(all), eval[int](x, `document.querySelectorAll(".execution").length`))
			for k, tr := range all {
				eval[bool](x, fmt.Sprintf(`(() => { const d = document.querySelectorAll(".execution")[%d]; d.open = true; return true; })()`, k))
				x.until(fmt.Sprintf(`!!document.querySelectorAll(".execution")[%d].querySelector(".viewer")`, k))
				eval[bool](x, fmt.Sprintf(`(document.querySelectorAll(".execution")[%d].querySelector("[data-go=first]").focus({preventScroll: true}), document.querySelectorAll(".execution")[%d].querySelector(".columns").focus(), true)`, k, k))
				button := func(go_ string) {
					eval[bool](x, fmt.Sprintf(`(document.querySelectorAll(".execution")[%d].querySelector("[data-go=%s]").click(), true)`, k, go_))
				}
				held(t, tr, 1, x.see(k)) // the first step is shown at first
				button("first")
				held(t, tr, 0, x.see(k))
				for step := 1; step <= len(tr.Steps); step++ {
					if step%2 == 0 {
						button("forward")
					} else {
						x.press(kb.ArrowRight)
					}
					held(t, tr, step, x.see(k))
				}
				if tr.Cycle >= 0 {
					x.press(kb.ArrowRight)
					held(t, tr, tr.Cycle+1, x.see(k))
				}
				x.press(kb.End)
				held(t, tr, len(tr.Steps), x.see(k))
				for step := len(tr.Steps) - 1; step >= 0; step-- {
					if step%2 == 0 {
						button("back")
					} else {
						x.press(kb.ArrowLeft)
					}
					held(t, tr, step, x.see(k))
				}
				button("last")
				x.press(kb.Home)
				held(t, tr, 0, x.see(k))
				middle := (len(tr.Steps) + 1) / 2
				eval[bool](x, fmt.Sprintf(`(document.querySelectorAll(".execution")[%d].querySelector(".all [data-step='%d']").click(), true)`, k, middle))
				held(t, tr, middle, x.see(k))
			}
		})
	}
}

// A link shows the same: execution, step and filter.
func TestFragmentRestoresTheStep(t *testing.T) {
	x := open(t, tso(t), "")
	tr := traces(t, "tso")[0]
	x.until(`!!document.querySelector(".viewer")`)
	x.press(kb.ArrowRight)
	x.press(kb.ArrowRight)
	eval[bool](x, `(() => { const f = document.querySelector(".viewer .of"); f.value = "turn"; f.dispatchEvent(new Event("input")); return true; })()`)
	want := x.see(0)
	require.Equal(t, 1, len(want.Cells))
	require.Contains(t, want.Cells, "turn")
	require.True(t, strings.HasPrefix(want.Output, "step 3 of "+fmt.Sprint(len(tr.Steps))), want.Output)
	fragment := eval[string](x, "location.hash")
	require.Contains(t, fragment, "of=turn")
	require.Equal(t, want, open(t, tso(t), fragment).see(0))

	// It may change on the page, or name what is not there.
	eval[bool](x, `(location.hash = location.hash.replace("%3A3", "%3A4").replace(":3", ":4"), true)`)
	x.until(`document.querySelector("output").textContent.startsWith("step 4 of ")`)
	open(t, tso(t), "#?at=nothing:99").until(`!!document.querySelector(".viewer")`)
	y := open(t, tso(t), strings.Replace(fragment, "%3A3", "%3A99999", 1))
	require.Contains(t, y.text("output"), fmt.Sprintf("step %d of", len(tr.Steps)))
}

// Playing makes a step a tick, and stops at the end.
func TestPlay(t *testing.T) {
	const clock = `window.setInterval = (f) => { window.tick = f; return 1; }; window.clearInterval = () => {};`
	x := open(t, hyman(t), "", onNew(clock))
	tr := traces(t, "hyman")[0]
	x.until(`!!document.querySelector(".viewer")`)
	x.press(kb.Home)
	x.press(" ")
	require.Equal(t, "stop", x.text("[data-go=play]"))
	for step := 1; step <= len(tr.Steps); step++ {
		eval[bool](x, "(tick(), true)")
		held(t, tr, step, x.see(0))
	}
	require.Equal(t, "play", x.text("[data-go=play]"))
}

// What is copied runs, and makes the same accesses on the compiled code.
func TestCommandsRun(t *testing.T) {
	for name, page := range map[string]made{"hyman": hyman, "tas": tas, "tso": tso, "modes": modes} {
		x := open(t, page(t), "")
		x.until(`!!document.querySelector(".viewer")`)
		command := x.text(".command code")
		tr := traces(t, name)[0]
		if name == "modes" { // the last one decides which calls it makes, and has store buffers
			all := traces(t, name)
			tr = all[len(all)-1]
			command = eval[string](x, `JSON.parse(document.getElementById("steps").textContent).executions.at(-1).command`)
			require.Contains(t, command, ":Lock,")
			require.Contains(t, command, ":flush,")
		}
		cmd := exec.Command("sh", "-c", strings.Replace(command, "shmbench", filepath.Join(dir, "shmbench"), 1))
		cmd.Dir = root
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s: %s: %s", name, command, out)
		accesses := len(tr.Steps)
		if tr.Cycle >= 0 {
			accesses = tr.Cycle + 100*(accesses-tr.Cycle)
		}
		require.Contains(t, string(out), fmt.Sprintf("makes the same %d accesses", accesses), command)
	}
}

// Lockstep and messages are stepped through as well.
func TestOtherExecutions(t *testing.T) {
	x := open(t, lockstep(t), "")
	x.until(`!!document.querySelector(".viewer")`)
	require.False(t, eval[bool](x, `!!document.querySelector(".command").offsetParent`), "no box without a command")
	require.True(t, eval[bool](x, `document.querySelector(".viewer .code").textContent.includes("Lock(")`), "the code is there")
	require.True(t, eval[bool](x, `((c) => c.scrollWidth <= c.clientWidth + 1 || getComputedStyle(c).overflowX === "auto")(document.querySelector(".columns"))`))
	v := x.see(0)
	require.Contains(t, v.Output, "round 1")
	require.Equal(t, []bool{true, true, true, true}, v.Acts)
	x.press(kb.End)
	require.NotContains(t, strings.Join(x.see(0).Places, ""), "critical")

	x = open(t, played(t), "")
	x.until(`!!document.querySelector(".viewer")`)
	v = x.see(0)
	require.Equal(t, []string{"0 → 1 request stamp=4", "0 → 2 request stamp=4"}, v.Under)
	require.Equal(t, []bool{true, false, false}, v.Acts)
	require.Equal(t, "true", v.Cells["0.Requesting"][0])
	x.press(kb.End)
	require.Empty(t, x.see(0).Under)
}

// A page of a trace begins with what goes wrong, and that of a correct lock is not blank.
func TestWhatGoesWrongComesFirst(t *testing.T) {
	x := open(t, hyman(t), "")
	x.until(`!!document.querySelector(".viewer")`)
	require.Equal(t, "What goes wrong: processes 0 and 1 are in their critical sections at once.", x.text(".says"))
	require.Contains(t, x.text("output"), "step 1 of")
	require.Contains(t, open(t, correct(t), "").text("main"), "No property is violated")
	y := open(t, panics(t), "")
	y.until(`!!document.querySelector(".viewer")`)
	require.Regexp(t, `^What goes wrong: process 2: .*index out of range: 2 with length 2\.$`, y.text(".says"))
	require.Equal(t, "step 0 of 0", y.text("output"))
}
