package browser

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// whole is the report of committed results, specifications and what was checked of a few locks;
// known that of results that are made up, so that each value in it is known.
var (
	verdicts = file("verdicts.json", "check", "-alg", "^(tas/tas|dekker/dekker)$", "-procs", "2", "-replays", "0", "-json")
	specs    = file("specs.json", "list", "-json")
	broken   = file("broken.json", "check", "-known-broken", "-alg", "hyman", "-replays", "0", "-json")
	whole    = once("whole.html", func(t *testing.T, path string) {
		shmbench(t, "report", "-o", path, "results/amd-epyc-2/run.txt", "results/intel-xeon-2/run.txt", verdicts(t), specs(t), broken(t))
	})
	known = once("known.html", func(t *testing.T, path string) {
		for _, f := range []struct{ name, machine, wait string }{{"a/run", "a", "pause-yield"}, {"b/run", "b", "pause-yield"}, {"a/wait", "c", "busy"}} {
			name := filepath.Join(dir, f.name+".txt")
			require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o777))
			require.NoError(t, os.WriteFile(name, []byte(results(f.machine, f.wait)), 0o666))
		}
		shmbench(t, "report", "-o", path, filepath.Join(dir, "a"), filepath.Join(dir, "b"))
	})
)

var units = []string{"ns/op", "xfers/op", "handoff-ns", "jain-short", "longest-run", "p50-ns", "p90-ns", "p99-ns", "p99.9-ns", "max-ns"}

// value is of a unit in a sample of the results that are made up. What is of "c" was
// measured on a, with another way to wait.
func value(machine, lock string, procs, sample int, unit string) float64 {
	base := 10 * float64(len(lock)) * float64(procs) * (1 + float64(machine[0]-'a')) * (1 + float64(slices.Index(units, unit))/3)
	if unit == "jain-short" {
		return 1 / (1 + base/1e3 + float64(sample)/1e3)
	}
	return base + float64(sample)/8
}

var (
	madeLocks = []string{"tas-tas", "queue-mcs", "bakery-lamport"}
	madeProcs = []int{1, 2, 4}
)

const (
	madeSamples = 11
	meanUnit    = "mean-ns" // of an open loop with 2 processes
)

var madeRates = []int{1000, 2000, 4000} // of each process

func mean(machine, lock string, rate, sample int) float64 {
	return value(machine, lock, rate/100, sample, "p50-ns")
}

// results are those of a machine with a way to wait; without the open loop and other
// units than time where that is not the usual one.
func results(machine, wait string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Unit ns/op better=lower\ncpu: %s\ncores: 2\nwait: %s\n\n", strings.Replace(machine, "c", "a", 1), wait)
	for sample := range madeSamples {
		for _, lock := range madeLocks {
			for _, procs := range madeProcs {
				fmt.Fprintf(&b, "BenchmarkPassage/alg=%s/procs=%d/cs=0/ncs=0 100", lock, procs)
				for _, unit := range units {
					if wait == "pause-yield" || unit == "ns/op" {
						fmt.Fprintf(&b, " %g %s", value(machine, lock, procs, sample, unit), unit)
					}
				}
				b.WriteByte('\n')
			}
			for _, rate := range madeRates {
				if machine == "a" {
					fmt.Fprintf(&b, "BenchmarkPassage/alg=%s/procs=2/cs=0/ncs=0/rate=%d 100 1 ns/op %g %s 1 reached\n", lock, rate, mean(machine, lock, rate, sample), meanUnit)
				}
			}
		}
	}
	return b.String()
}

// figure is a chart as it is drawn.
type figure struct {
	Section, Title string
	Panels         []struct {
		Log    string
		Ticks  map[string][][2]float64 // by axis: value, coordinate
		Series map[string][][4]float64 // x, y, and where it is drawn
	}
}

// unfold draws what is folded, but the pages of locks.
func (x *tab) unfold() {
	x.t.Helper()
	const folded = `[...document.querySelectorAll("section:not(#locks) details > template")]`
	eval[bool](x, folded+`.every((late) => late.parentNode.open = true)`)
	x.until(folded + `.length === 0`)
}

// figures are all charts of a page, those that are folded, too.
func (x *tab) figures() []figure {
	x.t.Helper()
	x.unfold()
	return eval[[]figure](x, `[...document.querySelectorAll("svg.plot")].map((svg) => ({
	Section: svg.closest("section").id, Title: svg.getAttribute("aria-label"),
	Panels: [...svg.querySelectorAll(".panel")].map((p) => {
		const all = (s) => [...p.querySelectorAll(s)], at = (it) => it.getAttribute("d").match(/-?[\d.]+/g).map(Number);
		const series = {};
		for (const s of all(".series:not(.end)")) series[s.dataset.series] = [...s.querySelectorAll("use[data-x]")].map((m) =>
			[Number(m.dataset.x), Number(m.dataset.y || 0), Number(m.getAttribute("x")), Number(m.getAttribute("y"))]);
		return { Log: p.dataset.log, Series: series, Ticks: {
			x: all(".grid [data-x]").map((t) => [Number(t.dataset.x), at(t)[0]]), y: all(".grid [data-y]").map((t) => [Number(t.dataset.y), at(t)[1]]) } };
	}) }))`)
}

// placed is where a value belongs, between the lines of the grid.
func placed(ticks [][2]float64, log bool, v float64) float64 {
	f := func(v float64) float64 { return v }
	if log {
		f = math.Log
	}
	a, b := ticks[0], ticks[len(ticks)-1]
	return a[1] + (f(v)-f(a[0]))/(f(b[0])-f(a[0]))*(b[1]-a[1])
}

// Each mark of each chart is where the grid has its value.
func TestMarksAreWhereTheGridSays(t *testing.T) {
	for name, page := range map[string]made{"whole": whole, "known": known} {
		marks := 0
		for _, f := range open(t, page(t), "").figures() {
			for _, p := range f.Panels {
				for series, points := range p.Series {
					for _, m := range points {
						marks++
						for i, axis := range []string{"x", "y"} {
							if len(p.Ticks[axis]) < 2 {
								continue // one tick says nothing
							}
							want := placed(p.Ticks[axis], strings.Contains(p.Log, axis), m[i])
							require.InDelta(t, want, m[2+i], 0.2, "%s, %s: %s of %v in %q", name, f.Title, axis, m, series)
						}
					}
				}
			}
		}
		require.Greater(t, marks, 100)
	}
}

// drawn says for a section what its charts draw for a lock at x on a machine, by the
// title of the chart.
var drawn = map[string]func(title, machine, series string, x float64) float64{
	"cost":      median("ns/op"),
	"transfers": median("xfers/op"),
	"handover":  median("handoff-ns"),
	"fairness":  median("jain-short"),
	"runs":      median("longest-run"),
	"machines":  median("ns/op"),
	"latency": func(title, machine, series string, x float64) float64 {
		_, after, _ := strings.Cut(title, "procs=")
		procs, _ := strconv.Atoi(strings.Fields(after)[0])
		return median(map[float64]string{2: "p50-ns", 10: "p90-ns", 100: "p99-ns", 1000: "p99.9-ns"}[x])(title, machine, series, float64(procs))
	},
	"load": func(_, machine, series string, x float64) float64 {
		return mean(machine, inFile(series), int(x)/2, madeSamples/2)
	},
	"waiting": func(title, _, series string, x float64) float64 { // a chart a lock
		for _, lock := range madeLocks {
			if strings.Contains(title, strings.Replace(lock, "-", "/", 1)) {
				return median("ns/op")(title, map[string]string{"pause-yield": "a", "busy": "c"}[series], lock, x)
			}
		}
		return math.NaN()
	},
}

func inFile(lock string) string { return strings.Replace(lock, "/", "-", 1) }

func median(unit string) func(title, machine, series string, x float64) float64 {
	return func(_, machine, series string, x float64) float64 {
		return value(machine, inFile(series), int(x), madeSamples/2, unit)
	}
}

// Each mark is the median of the samples in the file, and none is left out.
func TestMarksHaveTheValuesOfTheFiles(t *testing.T) {
	count := map[string]int{}
	for _, f := range open(t, known(t), "").figures() {
		if inRows[f.Section] || f.Section == "tradeoff" {
			continue // TestRowsHaveTheValuesOfTheFiles
		}
		of, ok := drawn[f.Section]
		require.True(t, ok, "the charts of the section %q are compared with nothing: say in drawn what they draw", f.Section)
		machine := "a"
		for name, at := range map[string]string{"b/run": "b", "a/wait": "c"} {
			if strings.Contains(f.Title, name) {
				machine = at
			}
		}
		for _, p := range f.Panels {
			for series, points := range p.Series {
				for _, m := range points {
					require.InEpsilon(t, of(f.Title, machine, series, m[0]), m[1], 1e-5, "%s: %s at %v", f.Title, series, m[0])
					count[f.Section]++
				}
			}
		}
	}
	one := len(madeLocks) * len(madeProcs) // of one file
	require.Equal(t, map[string]int{"cost": 2*one + one, "transfers": 2 * one, "handover": 2 * one, "fairness": 2 * one, "runs": 2 * one,
		"latency": len(madeLocks) * 2 * 2 * 4, "machines": 2 * one, "load": len(madeLocks) * len(madeRates), "waiting": 2 * one}, count)
}

// inRows are the sections whose charts have a lock a row.
var inRows = map[string]bool{"ranking": true, "samples": true}

// The rows are sorted by their medians, and a scatter has the medians of both units.
func TestRowsHaveTheValuesOfTheFiles(t *testing.T) {
	count := map[string]int{}
	for _, f := range open(t, known(t), "").figures() {
		machine, _, ok := strings.Cut(f.Title, "/run)")
		if !ok || !inRows[f.Section] && f.Section != "tradeoff" {
			continue
		}
		_, after, _ := strings.Cut(f.Title, "/run), ")
		procs, err := strconv.Atoi(strings.Fields(after)[0])
		require.NoError(t, err)
		machine = machine[len(machine)-1:]
		for series, points := range f.Panels[0].Series {
			require.Len(t, points, 1)
			x := points[0][0]
			require.InEpsilon(t, value(machine, inFile(series), procs, madeSamples/2, "ns/op"), x, 1e-5, "%s: %s", f.Title, series)
			if f.Section == "tradeoff" {
				require.InEpsilon(t, value(machine, inFile(series), procs, madeSamples/2, "jain-short"), points[0][1], 1e-5, "%s: %s", f.Title, series)
			}
			count[f.Section]++
		}
	}
	require.Equal(t, map[string]int{"ranking": 18, "samples": 12, "tradeoff": 12}, count)
}

// visible are the series of the first chart that are not filtered out, and how many of
// all are faint.
const visible = `(() => { const s = [...document.querySelector("#cost svg.plot").querySelectorAll(".series:not(.end)")];
	return s.filter((x) => getComputedStyle(x).display !== "none").map((x) => x.dataset.series + (x.classList.contains("faint") ? " faint" : "") + (x.classList.contains("bold") ? " bold" : "")); })()`

// Filters, the legend and the scale act, and a link shows the same.
func TestFilters(t *testing.T) {
	x := open(t, known(t), "")
	require.Len(t, eval[[]string](x, visible), 3)
	write := func(text string) {
		eval[bool](x, `(() => { const f = document.getElementById("filter"); f.value = "`+text+`"; f.dispatchEvent(new Event("input")); return true; })()`)
	}
	for text, shown := range map[string][]string{
		"tas/tas": {"tas/tas"}, "tas": {"tas/tas"}, "bakery/": {"bakery/lamport"}, "^(tas|bakery)/": {"bakery/lamport", "tas/tas"}, "(tas": {},
	} {
		write(text)
		require.Equal(t, shown, eval[[]string](x, visible), text)
	}
	write("a")
	require.Equal(t, []string{"bakery/lamport", "tas/tas"}, eval[[]string](x, visible))
	const policies = `[...document.querySelector("#waiting svg.plot").querySelectorAll(".series:not(.end)")].filter((x) => getComputedStyle(x).display !== "none").length`
	require.Equal(t, 2, eval[int](x, policies), "ways of waiting are no locks")
	eval[bool](x, `document.querySelector('#cost .end[data-series="tas/tas"]').dispatchEvent(new MouseEvent("click", { bubbles: true }))`)
	require.Equal(t, []string{"bakery/lamport faint", "tas/tas bold"}, eval[[]string](x, visible))
	x.click(`nav a[href="#cost"]`)
	fragment := eval[string](x, "location.hash")
	for _, want := range []string{"#cost?", "name=a", "only=tas%2Ftas"} {
		require.Contains(t, fragment, want)
	}
	y := open(t, known(t), fragment)
	require.Equal(t, eval[[]string](x, visible), eval[[]string](y, visible))
	require.Equal(t, "a", eval[string](y, `document.getElementById("filter").value`))
	x.click("#all")
	require.Len(t, eval[[]string](x, visible), 3)
}

// The page of a lock is made when it is looked at, and a link unfolds it, with the
// execution and the step, and leaves the filter alone.
func TestLockPages(t *testing.T) {
	x := open(t, whole(t), "#overview?name=tas/t")
	require.Equal(t, 0, eval[int](x, `document.querySelectorAll(".lock .page").length`))
	require.Equal(t, []string{"tas/tas", "tas/tta"}, eval[[]string](x, `[...new Set([...document.querySelectorAll(".lock")].filter((l) => getComputedStyle(l).display !== "none").map((l) => l.dataset.lock.slice(0, 7)))]`))
	x.click(`[data-lock="tas/tas"] summary`)
	x.until(`!!document.querySelector('[data-lock="tas/tas"] .page')`)
	text := x.text(`[data-lock="tas/tas"] .page`)
	for _, want := range []string{"Anderson", "func (l *TASMutex) Lock(", "ns a passage", "amd-epyc-2/run", "a passage alone", "without bounded bypass"} {
		require.Contains(t, text, want)
	}
	x.click(`[data-lock="tas/tas"] .execution summary`)
	x.until(`!!document.querySelector('[data-lock="tas/tas"] .viewer')`)
	x.click(`[data-lock="tas/tas"] [data-go=last]`)
	fragment := eval[string](x, "location.hash")
	require.Contains(t, fragment, "#lock/tas/tas?")
	require.Contains(t, fragment, "name=tas%2Ft")
	y := open(t, whole(t), fragment)
	y.until(`!!document.querySelector('[data-lock="tas/tas"] .viewer')`)
	require.Equal(t, x.text(`[data-lock="tas/tas"] output`), y.text(`[data-lock="tas/tas"] output`))
	require.Equal(t, "tas/t", eval[string](y, `document.getElementById("filter").value`))
	require.Equal(t, 1, eval[int](y, `document.querySelectorAll(".lock .page").length`))

	// A name in a table leads there, too, and leaves the filter.
	z := open(t, whole(t), "#verdicts?name=tas/t")
	z.click(`#verdicts a[href="#lock/tas/tas"]`)
	require.Equal(t, "#lock/tas/tas?name=tas%2Ft", eval[string](z, "location.hash"))
	require.True(t, eval[bool](z, `(() => { const r = document.querySelector('[data-lock="tas/tas"] .page').getBoundingClientRect(); return r.top >= 0 && r.top < innerHeight; })()`))

	// Keys are the page's again where no execution is in sight.
	was := y.text(`[data-lock="tas/tas"] output`)
	y.press(kb.ArrowLeft)
	now := y.text(`[data-lock="tas/tas"] output`)
	require.NotEqual(t, was, now)
	eval[bool](y, `(scrollTo(0, 0), true)`)
	y.press(kb.ArrowLeft)
	require.Equal(t, now, y.text(`[data-lock="tas/tas"] output`))
}
