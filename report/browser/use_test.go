package browser

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// committed is the report of the committed results alone, without a file of specifications.
var committed = once("committed.html", func(t *testing.T, path string) { shmbench(t, "report", "-o", path, "results") })

// The page answers at once: a sentence for each machine, and no cell without an answer
// because the command did not know its own locks.
func TestThePageConcludes(t *testing.T) {
	x := open(t, committed(t), "")
	require.Equal(t, "Use sync.Mutex: no other lock here is faster in the mean over 1 to 8 processes, the most that was measured.", x.text(".advice"))
	require.Regexp(t, `^If no process may ever starve, use \w+/\w+ with at most as many goroutines as processors; it takes [\d.]+ times as long \([\d.]+ to [\d.]+\) in the mean over 1 to 8 processes\.`,
		eval[string](x, `document.querySelectorAll(".advice")[1].textContent`), "the margin, with its interval")
	require.Equal(t, []string{"AMD EPYC, 2 cores", "Intel Xeon, 2 cores (intel-granite-rapids-2)", "Intel Xeon, 2 cores (intel-xeon-2/run-4eb7117)", "Intel Xeon, 2 cores (intel-xeon-2/run)"},
		eval[[]string](x, `[...document.querySelectorAll(".conclusion h3")].map((h) => h.textContent)`), "headings are machines")
	for _, facts := range eval[[]string](x, `[...document.querySelectorAll(".conclusion > .soft")].map((p) => p.textContent)`) {
		require.Regexp(t, `^Conditions: 2 cores; no work inside or outside the critical section; the machine was (NOT )?quiet; waiting policy [a-z-]+; commit \w+; .*file results/.*\.txt\.$`, facts)
	}
	for _, answer := range eval[[]string](x, `[...document.querySelectorAll(".answers li")].map((l) => l.textContent)`) {
		require.Regexp(t, `^[A-Z].* \(.+\): (not measured\.|no lock that was measured has this property\.|((use [^;,]+|only [^;,]+ fits); [\d.]+ \[[\d.]+, [\d.]+\] ns|too close to call: ([^;]+ and [^;]+|\d+ locks; (of these,|among them are) [^;]+); the first takes [\d.]+ \[[\d.]+, [\d.]+\] ns, the last [\d.]+ times as long)\.( The next, .+, takes [\d.]+ times as long \[[\d.]+, [\d.]+\]\.)?)$`, answer)
	}
	x.click(".conclusion .links a")
	x.until(`document.querySelector('.lock[data-lock="baseline/mutex"]').open`)
	x.click(".conclusion .links a:last-of-type")
	x.until(`document.querySelector('#cost svg.plot [data-series="baseline/mutex"]').classList.contains("bold")`)
	overview := x.text("#overview")
	require.NotContains(t, overview, "needs the")
	require.Contains(t, overview, "AMD EPYC, 2 cores")
	require.Contains(t, overview, "Do not attribute this to the machines")
	require.Equal(t, "ranking", eval[string](x, `document.querySelector("svg.plot").closest("section").id`), "the picture that shows why comes first")
	require.True(t, eval[bool](x, `[...document.querySelectorAll("#ranking svg.plot .row")].every((r) => r.querySelector(".bar") && r.querySelector(".bars") && /^[\d.]+ \[[\d.]+, [\d.]+\]$/.test(r.lastElementChild.textContent))`), "each bar has its interval and its figures")
	require.True(t, eval[bool](x, `[...document.querySelectorAll("#ranking svg.plot")].every((svg) => { const xs = [...svg.querySelectorAll(".row use")].map((m) => +m.dataset.x); return xs.length > 9 && xs.every((v, i) => i === 0 || xs[i - 1] <= v); })`), "the bars are sorted")
}

// parts are the files of shmbench all -alg '^(queue/(ticket|mcs)|tas/tas)$': the cost of these
// locks, and more results of variants and of other locks.
var parts = once("parts.html", func(t *testing.T, path string) {
	folder := filepath.Join(dir, "parts")
	write := func(name, text string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(folder, name)), 0o777))
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666))
	}
	lines := func(cpu string, samples int, procs []int, ns map[string]float64) string {
		var b strings.Builder
		fmt.Fprintf(&b, "Unit ns/op better=lower\ncpu: %s\ncores: 2\nwait: pause-yield\n\n", cpu)
		for i := range samples {
			for _, lock := range slices.Sorted(maps.Keys(ns)) {
				for _, n := range procs {
					fmt.Fprintf(&b, "BenchmarkPassage/alg=%s/procs=%d/cs=0/ncs=0 100 %g ns/op\n", lock, n, ns[lock]*float64(n)+float64(i)/100)
				}
			}
		}
		return b.String()
	}
	write("run.txt", lines("A", 9, []int{1, 2, 4, 8}, map[string]float64{"queue-ticket": 20, "queue-mcs": 30, "tas-tas": 25}))
	write("variants.txt", lines("A", 30, []int{1, 2}, map[string]float64{"queue-ticket-padded": 2, "queue-mcs-padded": 3, "queue-clh": 1, "queue-clh-padded": 1, "tas-ttas": 1}))
	shmbench(t, "report", "-o", path, folder)
	write("few/run.txt", lines("B", 3, []int{1, 2}, map[string]float64{"queue-ticket": 20, "queue-mcs": 30}))
})

// few has three samples.
var few = once("few.html", func(t *testing.T, path string) {
	parts(t)
	shmbench(t, "report", "-o", path, filepath.Join(dir, "parts", "few"))
})

// The page concludes from the results that were asked for, not from those that are most, and
// about no other lock.
func TestThePageConcludesFromTheMainPart(t *testing.T) {
	x := open(t, parts(t), "")
	first := x.text(".conclusion")
	require.Regexp(t, `^A, 2 cores\s+No recommendation: sync\.Mutex was not measured, .*\s+Of the measured locks, queue/ticket costs the least in the mean over 1 to 8 processes, `, first)
	require.Contains(t, first, "parts/run.txt")
	require.Regexp(t, `Uncontended \(one process, with at most as many goroutines as processors\): use queue/ticket; 20\.0 `, first)
	require.Regexp(t, `Oversubscribed \(8 processes, waiting processes sleep\): no lock that was measured has this property`, first)
	for _, never := range []string{"clh", "ttas", "padded", "variants"} {
		require.NotContains(t, first, never)
	}
}

// Where samples are too few for an interval, the page says so in words.
func TestNoIntervalIsSaid(t *testing.T) {
	x := open(t, few(t), "")
	x.unfold()
	require.NotContains(t, x.text("main"), "?, ?")
	require.Contains(t, x.text("main"), "(no interval: 3 samples, it takes 6)")
}

// No point is better in both than one on the line of a scatter, and every other point has one
// on the line that is as good in both.
func TestTheParetoFront(t *testing.T) {
	x := open(t, committed(t), "")
	const front = `(() => { const svg = document.querySelector("#tradeoff svg.plot"), drawn = svg.querySelector(".front").getAttribute("d").match(/[\d.]+ [\d.]+/g).map((p) => p.split(" ").map(Number).join());
		const points = [...svg.querySelectorAll("use[data-x]")].map((m) => ({ x: +m.dataset.x, y: +m.dataset.y, on: drawn.includes([+m.getAttribute("x"), +m.getAttribute("y")].join()) }));
		const on = points.filter((p) => p.on);
		return [on.length, on.filter((p) => points.some((q) => q.x < p.x && q.y > p.y)).length, points.filter((p) => !p.on && !on.some((q) => q.x <= p.x && q.y >= p.y)).length]; })()`
	got := eval[[]int](x, front)
	require.Greater(t, got[0], 2)
	require.Equal(t, []int{0, 0}, got[1:])
}

// A scatter shows every lock, as a mark with a name or as a dot.
func TestAScatterShowsEveryLock(t *testing.T) {
	x := open(t, committed(t), "")
	const shown = `(() => { const svg = document.querySelector("#tradeoff svg.plot"), marks = [...svg.querySelectorAll(".series:not(.end) use")];
		return [marks.length, marks.filter((m) => m.getBoundingClientRect().width >= 4).length, svg.closest("details").querySelectorAll("tbody tr").length]; })()`
	got := eval[[]int](x, shown)
	require.Greater(t, got[0], 8)
	require.Equal(t, got[0], got[1], "a lock is invisible")
	require.Equal(t, got[0], got[2], "a lock of the table is missing")
}

// The distribution has a dot for each sample.
func TestEverySampleIsADot(t *testing.T) {
	x := open(t, known(t), "")
	require.Equal(t, len(madeLocks)*madeSamples, eval[int](x, `[...document.querySelector("#samples svg.plot").querySelectorAll(".sample")].reduce((n, s) => n + s.getAttribute("d").match(/M/g).length, 0)`))
}

// A sweep of each section's length has a chart, and its axes are logarithmic.
func TestSweptLengths(t *testing.T) {
	x := open(t, swept(t), "")
	x.unfold()
	for _, id := range []string{"cslength", "ncslength"} {
		require.Equal(t, []string{"xy"}, eval[[]string](x, `[...new Set([...document.querySelectorAll("#`+id+` .panel")].map((p) => p.dataset.log))]`), id)
		require.Positive(t, eval[int](x, `document.querySelectorAll("#`+id+` svg.plot .line").length`), id)
		require.GreaterOrEqual(t, eval[int](x, `new Set([...document.querySelectorAll("#`+id+` svg.plot use[data-x]")].map((m) => m.dataset.x)).size`), 3, id)
	}
}

// A chart has at most eight lines that stand out, each with its name at its end.
func TestEightLines(t *testing.T) {
	x := open(t, committed(t), "")
	x.unfold()
	const most = `Math.max(...[...document.querySelectorAll("svg.plot:not(.rows)")].map((s) => s.querySelectorAll(".series:not(.quiet, .end)").length))`
	require.Equal(t, 8, eval[int](x, most))
	require.Equal(t, []string{"xy"}, eval[[]string](x, `[...new Set([...document.querySelectorAll("#latency .panel")].map((p) => p.dataset.log))]`))
	require.True(t, eval[bool](x, `[...document.querySelectorAll("svg.plot:not(.rows)")].every((s) => s.querySelectorAll(".end").length === s.querySelectorAll(".series:not(.quiet, .end)").length)`))
}

// A finger near a point, and the arrow keys in a chart, show what the point is.
func TestTips(t *testing.T) {
	x := open(t, known(t), "#cost")
	eval[bool](x, `(document.querySelector("#cost svg.plot").scrollIntoView({ block: "center" }), true)`)
	x.do(chromedp.Sleep(200 * time.Millisecond)) // what scrolls hides the box
	eval[bool](x, `(() => { const m = document.querySelector('#cost .series[data-series="tas/tas"] use[data-x]'); 
		const r = m.getBoundingClientRect(); m.closest("svg").dispatchEvent(new PointerEvent("pointerdown", { bubbles: true, pointerType: "touch", clientX: r.left + r.width / 2, clientY: r.top + r.height / 2 - 12 })); return true; })()`) // the target has 24 px
	require.Regexp(t, `^tas/tas: [\d.]+ \[[\d.]+, [\d.]+\] ns a passage; processes 1$`, x.text("#tip"))
	require.True(t, eval[bool](x, `!!document.getElementById("tip").getClientRects().length`))
	x.press(kb.Escape)
	require.False(t, eval[bool](x, `!!document.getElementById("tip").getClientRects().length`))
	eval[bool](x, `(document.querySelector("#cost svg.plot").focus({ preventScroll: true }), true)`)
	seen := map[string]bool{}
	for _, key := range []string{kb.ArrowRight, kb.ArrowRight, kb.ArrowDown, kb.ArrowDown} {
		x.press(key)
		seen[x.text("#tip")] = true
	}
	require.Len(t, seen, 4, "each key shows another point")
	eval[bool](x, `(document.querySelector("#ranking svg.plot").focus({ preventScroll: true }), true)`)
	x.press(kb.ArrowDown)
	require.Regexp(t, `^[a-z]+/[a-z]+: [\d.]+ \[[\d.]+, [\d.]+\]$`, x.text("#tip"))
}

// A search without a match says so, and back and forward lead through the pages seen.
func TestNothingMatchesAndBack(t *testing.T) {
	x := open(t, whole(t), "")
	x.click(`nav a[href="#cost"]`)
	x.click(`nav a[href="#latency"]`)
	x.choose(`[data-choice="family"]`, "tas")
	require.Equal(t, "#latency?family=tas", eval[string](x, "location.hash"))
	eval[bool](x, `(history.back(), true)`)
	x.until(`location.hash === "#latency"`)
	x.until(`document.querySelector('[data-choice="family"]').value === ""`)
	eval[bool](x, `(history.back(), true)`)
	x.until(`location.hash === "#cost"`)
	eval[bool](x, `(history.go(2), true)`)
	x.until(`location.hash === "#latency?family=tas" && document.querySelector('[data-choice="family"]').value === "tas"`)
	eval[bool](x, `(() => { const f = document.getElementById("filter"); f.value = "nosuchlock"; f.dispatchEvent(new Event("input")); return true; })()`)
	require.Equal(t, "No lock matches.", x.text("#said"))
}

// A link skips the controls, and at most sixty stops of the tab key lead past the first chart.
func TestTabStops(t *testing.T) {
	x := open(t, committed(t), "")
	for i := 1; ; i++ {
		x.press(kb.Tab)
		at := eval[string](x, `document.activeElement.getAttribute("href") || document.activeElement.tagName`)
		if i == 1 {
			require.Equal(t, "#main", at)
			require.True(t, eval[bool](x, `document.activeElement.getBoundingClientRect().left >= 0`), "the link is seen when it has the focus")
			y := open(t, committed(t), "")
			y.press(kb.Tab)
			y.press(kb.Enter)
			y.until(`document.activeElement.id === "main"`)
		}
		if at == "svg" {
			t.Logf("the first chart is at stop %d", i)
			break
		}
		require.LessOrEqual(t, i, 60)
	}
}

// All sections of the page of all results open soon: what is closed is made when it is
// opened, so that few charts are made at first.
func TestSectionsOpen(t *testing.T) {
	x := open(t, committed(t), "")
	require.LessOrEqual(t, eval[int](x, `document.querySelectorAll("svg.plot").length`), 30)
	require.True(t, eval[bool](x, `[...document.querySelectorAll("details:not([open])")].every((d) => !d.querySelector("svg"))`))
	took := eval[float64](x, `(() => { const from = performance.now(); for (const late of [...document.querySelectorAll("section:not(#locks) details > template")]) late.parentNode.open = true; window.from = from; return from; })()`)
	x.until(`[...document.querySelectorAll("section:not(#locks) details > template")].length === 0`)
	t.Logf("all sections are open after %.0f ms", eval[float64](x, `performance.now()`)-took)
}

// On a phone the ticks can be read, the navigation is one line, and nothing sticks out.
func TestPhone(t *testing.T) {
	x := open(t, committed(t), "", chromedp.EmulateViewport(390, 844))
	x.shot("committed-phone")
	require.LessOrEqual(t, eval[int64](x, "document.documentElement.scrollWidth"), int64(390))
	x.unfold()
	require.GreaterOrEqual(t, eval[float64](x, `Math.min(...[...document.querySelectorAll("svg.plot")].filter((s) => s.getClientRects().length).map((s) => 12 * s.getBoundingClientRect().width / s.viewBox.baseVal.width))`), 10.0)
	require.LessOrEqual(t, eval[float64](x, `document.querySelector("nav").getBoundingClientRect().height`), 40.0)
	cues := eval[[]bool](x, `[...document.querySelectorAll("nav, figure, .scroll")].filter((e) => e.clientWidth && e.scrollWidth > e.clientWidth + 1).map((e) => getComputedStyle(e).backgroundImage.includes("gradient") && getComputedStyle(e).backgroundAttachment.includes("local"))`)
	require.Greater(t, len(cues), 5)
	require.NotContains(t, cues, false, "what scrolls has a cue at its edge")
}
