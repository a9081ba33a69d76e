package browser

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// choose sets a list of choices by hand, as a user would.
func (x *tab) choose(list, value string) {
	eval[bool](x, fmt.Sprintf(`(() => { const s = document.querySelector(%q); s.value = %q; s.dispatchEvent(new Event("change")); return s.value === %[2]q; })()`, list, value))
}

// Locks are chosen by their specifications, in charts, legends and tables.
func TestChoices(t *testing.T) {
	x := open(t, whole(t), "")
	all := len(eval[[]string](x, visible))
	x.choose(`[data-choice="family"]`, "tas")
	require.ElementsMatch(t, []string{"tas/backoff", "tas/tas", "tas/ttas"}, eval[[]string](x, visible))
	x.choose(`[data-choice="property"]`, "first come, first served")
	require.Empty(t, eval[[]string](x, visible), "both must hold")
	x.choose(`[data-choice="family"]`, "")
	fcfs := eval[[]string](x, visible)
	require.Contains(t, fcfs, "bakery/lamport")
	require.NotContains(t, fcfs, "tas/tas")
	require.Equal(t, fcfs, eval[[]string](open(t, whole(t), eval[string](x, "location.hash")), visible), "a link shows the same")
	x.click("#all")
	require.Len(t, eval[[]string](x, visible), all)
}

// With a base lock the chart of cost shows quotients, where its new grid says, and
// without one what it showed before.
func TestBaseLock(t *testing.T) {
	x := open(t, known(t), "")
	before := x.figures()
	x.choose("#base", "tas/tas")
	require.Equal(t, "cost in multiples of tas/tas", eval[string](x, `[...document.querySelectorAll("#cost svg.plot .text text")].map((t) => t.textContent).find((t) => t.startsWith("cost")) || ""`))
	seen := 0
	for i, f := range x.figures() {
		if f.Section != "cost" {
			require.Equal(t, before[i], f)
			continue
		}
		p, was := f.Panels[0], before[i].Panels[0]
		base := map[float64]float64{}
		for _, m := range was.Series["tas/tas"] {
			base[m[0]] = m[1]
		}
		for name, points := range p.Series {
			require.Len(t, points, len(was.Series[name]))
			for j, m := range points {
				require.InEpsilon(t, was.Series[name][j][1]/base[m[0]], m[1], 1e-5)
				require.InDelta(t, placed(p.Ticks["y"], p.Log == "xy", m[1]), m[3], 0.3)
				seen++
			}
		}
	}
	require.Positive(t, seen)
	x.click("#all")
	require.Equal(t, before, x.figures())
}
