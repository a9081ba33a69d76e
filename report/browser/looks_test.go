package browser

import (
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// line is how a line of the first chart of cost looks.
type line struct {
	Class, Color, End string
	Wide              float64 // of the line, in px
	Marks             int     // of its points that are seen
}

func (x *tab) line(lock string) line {
	x.t.Helper()
	return eval[line](x, `(() => { const svg = document.querySelector("#cost svg.plot"), s = svg.querySelector('.series:not(.end)[data-series="`+lock+`"]');
	const style = getComputedStyle(s.querySelector(".line")), end = [...svg.querySelectorAll(".end")].find((e) => e.dataset.series === "`+lock+`" && e.getClientRects().length);
	return { Class: s.getAttribute("class"), Color: style.stroke, Wide: parseFloat(style.strokeWidth), End: end ? end.textContent : "",
		Marks: [...s.querySelectorAll("use")].filter((m) => m.getBoundingClientRect().width > 4).length }; })()`)
}

// quiet is a lock of the committed results that is a thin line in the first chart.
const quiet = "queue/clh"

// standsOut requires that a lock has a look and its name at the end.
func (x *tab) standsOut(lock string) {
	x.t.Helper()
	l := x.line(lock)
	require.Regexp(x.t, `^series c[0-7]`, l.Class)
	require.Equal(x.t, lock, l.End)
	require.GreaterOrEqual(x.t, l.Wide, 2.0)
	require.Equal(x.t, 4, l.Marks)
}

// loud are the lines of the first chart of cost that are seen and have a look, and the looks
// that they have between them.
const loud = `(() => { const all = [...document.querySelectorAll("#cost svg.plot")][0].querySelectorAll(".series:not(.quiet, .end, .gone)"); return [all.length, new Set([...all].map((s) => s.getAttribute("class").match(/c[0-7]/)[0])).size]; })()`

// A thin line stands out where a filter leaves it, where it is chosen, and while the pointer is
// near; then all is as before.
func TestThinLinesAreBroughtOut(t *testing.T) {
	x := open(t, committed(t), "#cost")
	before, mutex := x.line(quiet), x.line("baseline/mutex")
	require.Contains(t, before.Class, "quiet")
	require.Empty(t, before.End)
	require.Less(t, before.Wide, 2.0)

	x.choose(`[data-choice="family"]`, "queue")
	x.standsOut(quiet)
	require.Equal(t, []int{5, 5}, eval[[]int](x, loud), "each with another look")
	x.choose(`[data-choice="family"]`, "tournament")
	require.Empty(t, eval[[]string](x, sticksOut), "the chart has room for every name")
	require.Empty(t, eval[[]string](x, overlap))
	x.click("#all")
	require.Equal(t, before, x.line(quiet))
	require.Equal(t, mutex, x.line("baseline/mutex"))

	at := eval[[]float64](x, `(() => { const svg = document.querySelector("#cost svg.plot"); svg.scrollIntoView({ block: "center", behavior: "instant" }); const box = svg.getBoundingClientRect(), scale = box.width / svg.viewBox.baseVal.width;
		const m = svg.querySelector('.series:not(.end)[data-series="dijkstra/dijkstra"] use:last-child'); return [box.left + m.getAttribute("x") * scale, box.top + m.getAttribute("y") * scale - 3]; })()`)
	x.do(chromedp.ActionFunc(input.DispatchMouseEvent(input.MouseMoved, at[0], at[1]).Do))
	x.until(`document.querySelector('#cost svg.plot .series[data-series="dijkstra/dijkstra"]').classList.contains("bold")`)
	require.Contains(t, x.text("#tip"), "dijkstra/dijkstra: ")
	x.do(chromedp.ActionFunc(input.DispatchMouseEvent(input.MouseMoved, 2, 2).Do))
	x.until(`!document.querySelector("#cost svg.plot .bold")`)

	y := open(t, committed(t), "#cost?only="+quiet)
	y.standsOut(quiet)
	require.Equal(t, []int{8, 8}, eval[[]int](y, loud), "a line that is not chosen makes room")
	y.choose("#base", "tas/tas")
	y.standsOut(quiet)
	y.click("#all")
	require.Equal(t, before, y.line(quiet))
	require.Equal(t, []int{8, 8}, eval[[]int](y, loud))
}
