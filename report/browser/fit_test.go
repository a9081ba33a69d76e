package browser

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// swept has lengths of sections, of locks whose names are among the longest. Its files are
// of runs so short that some charts have no value of the lock with the longest name.
var swept = once("swept.html", func(t *testing.T, path string) {
	shmbench(t, "report", "-o", path, "report/browser/testdata/swept")
})

// sticksOut are the texts of charts that leave their chart at the side.
const sticksOut = `[...document.querySelectorAll("svg.plot")].filter((s) => s.getClientRects().length).flatMap((s) => {
	const box = s.getBoundingClientRect();
	return [...s.querySelectorAll("text")].filter((t) => { const r = t.getBoundingClientRect(); return r.width && (r.left < box.left - 1 || r.right > box.right + 1); }).map((t) => s.getAttribute("aria-label") + ": " + t.textContent);
})`

// overlap are the pairs of texts of a chart that lie over each other.
const overlap = `[...document.querySelectorAll("svg.plot")].filter((s) => s.getClientRects().length).flatMap((s) => {
	const texts = [...s.querySelectorAll("text")].map((t) => ({ t, r: t.getBoundingClientRect() })).filter((x) => x.r.width);
	return texts.flatMap((a, i) => texts.slice(i + 1).filter((b) => Math.min(a.r.right, b.r.right) - Math.max(a.r.left, b.r.left) > 2 && Math.min(a.r.bottom, b.r.bottom) - Math.max(a.r.top, b.r.top) > 4)
		.map((b) => s.getAttribute("aria-label") + ": " + a.t.textContent + " over " + b.t.textContent));
})`

// faint is the least contrast of a sample with the page, both blended as they are seen.
const faint = `(() => {
	const rgb = (c) => c.match(/[\d.]+/g).slice(0, 3).map(Number);
	const light = (c) => { const [r, g, b] = c.map((v) => v / 255).map((v) => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
	const back = rgb(getComputedStyle(document.body).backgroundColor);
	return Math.min(...[...document.querySelectorAll(".row .sample, .row .bar")].map((e) => {
		const style = getComputedStyle(e), part = Number(style.opacity), of = rgb(e.classList.contains("bar") ? style.fill : style.stroke);
		const [a, b] = [light(back), light(of.map((v, i) => v * part + back[i] * (1 - part)))];
		return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
	}));
})()`

// The texts of all charts are whole and apart, on a wide and a narrow screen; samples and
// bars stand out from the page, in the light and in the dark.
func TestChartsAreReadable(t *testing.T) {
	for name, page := range map[string]made{"committed": committed, "swept": swept} {
		for colors, width := range map[string]int64{"light": 1200, "dark": 390} {
			x := open(t, page(t), "", scheme(colors), chromedp.EmulateViewport(width, 900))
			x.unfold()
			require.Empty(t, eval[[]string](x, sticksOut), name)
			require.Empty(t, eval[[]string](x, overlap), name)
			require.GreaterOrEqual(t, eval[float64](x, faint), 3.0, "%s, %s", name, colors)
		}
	}
}
