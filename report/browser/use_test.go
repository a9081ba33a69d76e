package browser

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
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
	require.Regexp(t, `^Use .+, unless you need first-come-first-served order: then use `, x.text(".advice"))
	overview := x.text("#overview")
	require.NotContains(t, overview, "needs the")
	require.Contains(t, overview, "AMD EPYC, 2 cores")
	require.Contains(t, overview, "Do not attribute this to the machines")
	require.NotContains(t, x.text("main"), "?, ?")
	require.Equal(t, "ranking", eval[string](x, `document.querySelector("svg.plot").closest("section").id`), "the picture that shows why comes first")
}

// A chart has at most eight lines that stand out, each with its name at its end.
func TestEightLines(t *testing.T) {
	x := open(t, committed(t), "")
	x.unfold()
	const most = `Math.max(...[...document.querySelectorAll("svg.plot:not(.rows)")].map((s) => s.querySelectorAll(".series:not(.quiet, .end)").length))`
	require.Equal(t, 8, eval[int](x, most))
	require.True(t, eval[bool](x, `[...document.querySelectorAll("svg.plot:not(.rows)")].every((s) => s.querySelectorAll(".end").length === s.querySelectorAll(".series:not(.quiet, .end)").length)`))
}

// A finger near a point, and the arrow keys in a chart, show what the point is.
func TestTips(t *testing.T) {
	x := open(t, known(t), "#cost")
	eval[bool](x, `(document.querySelector("#cost svg.plot").scrollIntoView({ block: "center" }), true)`)
	x.do(chromedp.Sleep(200 * time.Millisecond)) // what scrolls hides the box
	eval[bool](x, `(() => { const m = document.querySelector('#cost .series[data-series="tas/tas"] .mark'); 
		const r = m.getBoundingClientRect(); m.closest("svg").dispatchEvent(new PointerEvent("pointerdown", { bubbles: true, pointerType: "touch", clientX: r.left + r.width / 2, clientY: r.top + r.height / 2 - 15 })); return true; })()`)
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
		}
		if at == "svg" {
			t.Logf("the first chart is at stop %d", i)
			break
		}
		require.LessOrEqual(t, i, 60)
	}
}

// All sections of the page of all results open soon.
func TestSectionsOpen(t *testing.T) {
	x := open(t, committed(t), "")
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
}

// The print of one machine has at most eight pages.
func TestPrintIsShort(t *testing.T) {
	path := filepath.Join(t.TempDir(), "one.html")
	shmbench(t, "report", "-o", path, "results/amd-epyc-2")
	x := open(t, path, "")
	x.do(emulation.SetEmulatedMedia().WithMedia("print"))
	var pdf []byte
	x.do(chromedp.ActionFunc(func(ctx context.Context) (err error) {
		pdf, _, err = page.PrintToPDF().WithPaperWidth(8.27).WithPaperHeight(11.69).Do(ctx)
		return err
	}))
	pages := strings.Count(string(pdf), "/Type /Page\n")
	t.Logf("%d pages", pages)
	require.Positive(t, pages)
	require.LessOrEqual(t, pages, 8)
	require.Contains(t, eval[string](x, `getComputedStyle(document.querySelector("details:not([open]) > summary"), "::after").content`), "not printed", "closed sections are listed")
}
