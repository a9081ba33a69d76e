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

// whole is the report of committed results, cards and what was checked of a few locks;
// known that of results that are made up, so that each value in it is known.
var (
	verdicts = file("verdicts.json", "check", "-alg", "^(tas/tas|dekker/dekker)$", "-procs", "2", "-replays", "0", "-json")
	cards    = file("cards.json", "list", "-json")
	messages = file("messages.json", "dist", "replay", "-scenario", "ricart-agrawala", "-json")
	whole    = once("whole.html", func(t *testing.T, path string) {
		shmbench(t, "report", "-o", path, "results/amd-epyc-2/run.txt", "results/intel-xeon-2/run.txt", verdicts(t), cards(t), messages(t))
	})
	known = once("known.html", func(t *testing.T, path string) {
		for _, machine := range []string{"a", "b"} {
			require.NoError(t, os.MkdirAll(filepath.Join(dir, machine), 0o777))
			require.NoError(t, os.WriteFile(filepath.Join(dir, machine, "run.txt"), []byte(made1(machine)), 0o666))
		}
		shmbench(t, "report", "-o", path, filepath.Join(dir, "a"), filepath.Join(dir, "b"))
	})
)

var units = []string{"ns/op", "xfers/op", "handoff-ns", "jain-short", "longest-run", "p50-ns", "p90-ns", "p99-ns", "p99.9-ns", "max-ns"}

// value is of a unit in a sample of the results that are made up.
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

const madeSamples = 11

func made1(machine string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Unit ns/op better=lower\ncpu: %s\ncores: 2\n\n", machine)
	for sample := range madeSamples {
		for _, lock := range madeLocks {
			for _, procs := range madeProcs {
				fmt.Fprintf(&b, "BenchmarkPassage/alg=%s/procs=%d/cs=0/ncs=0 100", lock, procs)
				for _, unit := range units {
					fmt.Fprintf(&b, " %g %s", value(machine, lock, procs, sample, unit), unit)
				}
				b.WriteByte('\n')
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

// figures are all charts of a page, those that are folded, too.
func (x *tab) figures() []figure {
	x.t.Helper()
	return eval[[]figure](x, `[...document.querySelectorAll("svg.plot")].map((svg) => ({
	Section: svg.closest("section").id, Title: svg.getAttribute("aria-label"),
	Panels: [...svg.querySelectorAll(".panel")].map((p) => {
		const all = (s) => [...p.querySelectorAll(s)], at = (it) => it.getAttribute("d").match(/-?[\d.]+/g).map(Number);
		const series = {};
		for (const s of all(".series")) series[s.dataset.series] = [...s.querySelectorAll(".mark")].map((m) =>
			[Number(m.dataset.x), Number(m.dataset.y), ...m.getAttribute("transform").match(/-?[\d.]+/g).map(Number)]);
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

// drawn says for a section what its charts draw at x: the unit, and the number of
// processes, 0 if that is in the title.
var drawn = map[string]func(x float64) (unit string, procs int){
	"cost":      func(x float64) (string, int) { return "ns/op", int(x) },
	"transfers": func(x float64) (string, int) { return "xfers/op", int(x) },
	"handover":  func(x float64) (string, int) { return "handoff-ns", int(x) },
	"fairness":  func(x float64) (string, int) { return "jain-short", int(x) },
	"runs":      func(x float64) (string, int) { return "longest-run", int(x) },
	"latency": func(x float64) (string, int) {
		return map[float64]string{2: "p50-ns", 10: "p90-ns", 100: "p99-ns", 1000: "p99.9-ns"}[x], 0
	},
}

// Each mark is the median of the samples in the file, and none is left out.
func TestMarksHaveTheValuesOfTheFiles(t *testing.T) {
	count := map[string]int{}
	for _, f := range open(t, known(t), "").figures() {
		of, ok := drawn[f.Section]
		require.True(t, ok, "the charts of the section %q are compared with nothing: say in drawn what they draw", f.Section)
		machine := "a"
		if strings.Contains(f.Title, "b/run") {
			machine = "b"
		}
		for _, p := range f.Panels {
			require.Len(t, p.Series, len(madeLocks), f.Title)
			for series, points := range p.Series {
				for _, m := range points {
					unit, procs := of(m[0])
					if procs == 0 {
						_, after, _ := strings.Cut(f.Title, "procs=")
						if after == "" {
							_, after, _ = strings.Cut(f.Title, "n=")
						}
						number := strings.FieldsFunc(after, func(r rune) bool { return r < '0' || r > '9' })
						require.NotEmpty(t, number, f.Title)
						procs, _ = strconv.Atoi(number[0])
					}
					lock := strings.Replace(series, "/", "-", 1)
					require.InEpsilon(t, value(machine, lock, procs, madeSamples/2, unit), m[1], 1e-9, "%s: %s at %v", f.Title, series, m[0])
					count[f.Section]++
				}
			}
		}
	}
	all := len(madeLocks) * len(madeProcs) * 2 // of two machines
	require.Equal(t, map[string]int{"cost": 2 * all, "transfers": all, "handover": all, "fairness": all, "runs": all,
		"latency": len(madeLocks) * 2 * 2 * 4}, count)
}

// visible are the series of the first chart that are not filtered out, and how many of
// all are faint.
const visible = `(() => { const s = [...document.querySelector("#cost svg.plot").querySelectorAll(".series")];
	return s.filter((x) => getComputedStyle(x).display !== "none").map((x) => x.dataset.series + (x.classList.contains("faint") ? " faint" : "") + (x.classList.contains("bold") ? " bold" : "")); })()`

// Filters, the legend and the scale act, and a link shows the same.
func TestFilters(t *testing.T) {
	x := open(t, known(t), "")
	require.Len(t, eval[[]string](x, visible), 3)
	eval[bool](x, `(() => { const f = document.getElementById("filter"); f.value = "a"; f.dispatchEvent(new Event("input")); return true; })()`)
	require.Equal(t, []string{"bakery/lamport", "tas/tas"}, eval[[]string](x, visible))
	x.click(`#cost .legend [data-series="tas/tas"]`)
	require.Equal(t, []string{"bakery/lamport faint", "tas/tas bold"}, eval[[]string](x, visible))
	require.Equal(t, "true", eval[string](x, `document.querySelector('#cost .legend [data-series="tas/tas"]').getAttribute("aria-pressed")`))
	eval[bool](x, `(() => { const s = document.getElementById("scale"); s.value = "linear"; s.dispatchEvent(new Event("change")); return true; })()`)
	shown := `[...document.querySelectorAll("#cost figure")].map((f) => f.className + " " + getComputedStyle(f).display)`
	require.Contains(t, eval[[]string](x, shown), "log none")
	require.Contains(t, eval[[]string](x, shown), "linear block")
	x.click(`nav a[href="#cost"]`)
	fragment := eval[string](x, "location.hash")
	for _, want := range []string{"#cost?", "name=a", "only=tas%2Ftas", "scale=linear"} {
		require.Contains(t, fragment, want)
	}
	y := open(t, known(t), fragment)
	require.Equal(t, eval[[]string](x, visible), eval[[]string](y, visible))
	require.Equal(t, eval[[]string](x, shown), eval[[]string](y, shown))
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

	// Keys are the page's again where no execution is in sight.
	was := y.text(`[data-lock="tas/tas"] output`)
	y.press(kb.ArrowLeft)
	now := y.text(`[data-lock="tas/tas"] output`)
	require.NotEqual(t, was, now)
	eval[bool](y, `(scrollTo(0, 0), true)`)
	y.press(kb.ArrowLeft)
	require.Equal(t, now, y.text(`[data-lock="tas/tas"] output`))
}
