package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// looked are pages in a state worth looking at.
var looked = []struct {
	name     string
	page     made
	fragment string
	unfold   bool
}{
	{"known", known, "", true},
	{"whole", whole, "", false},
	{"lock", whole, "#lock/dekker/dekker?at=dekker-dekker-bounded-bypass-n-2:5", false},
	{"hyman", hyman, "#?at=knownbroken-hyman-mutual-exclusion-n-2:6", true},
	{"tso", tso, "", false},
	{"lockstep", lockstep, "", false},
	{"played", played, "", false},
}

func scheme(name string) chromedp.Action {
	return emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}})
}

// In the light and in the dark, on a wide and a narrow screen: nothing sticks out to the
// side, and axe-core has nothing to object to, of contrast neither.
func TestLook(t *testing.T) {
	backs := map[string]string{}
	for _, l := range looked {
		for colors, width := range map[string]int64{"light": 1200, "dark": 360} {
			name := fmt.Sprintf("%s-%s", l.name, colors)
			t.Run(name, func(t *testing.T) {
				x := open(t, l.page(t), l.fragment, scheme(colors), chromedp.EmulateViewport(width, 900))
				if l.unfold {
					eval[bool](x, `(() => { for (const d of document.querySelectorAll("details")) d.open = true; return true; })()`)
					x.until(`[...document.querySelectorAll(".execution")].every((d) => d.querySelector(".viewer"))`)
				} else if l.name != "whole" {
					x.until(`!!document.querySelector(".viewer")`)
				}
				require.LessOrEqual(t, eval[int64](x, "document.documentElement.scrollWidth"), width)
				backs[colors] = eval[string](x, "getComputedStyle(document.body).backgroundColor")
				x.shot(name)
				switch l.name {
				case "whole": // of the same parts as known, and large
				case "lock":
					x.axe(`document.querySelector(".lock[open]")`)
				default:
					x.axe("document")
				}
			})
		}
	}
	require.NotEqual(t, backs["light"], backs["dark"])
}

// axe asks axe-core what is wrong with an element.
func (x *tab) axe(what string) {
	x.t.Helper()
	eval[bool](x, axe+"\n;true")
	var text string
	x.do(chromedp.Evaluate(`axe.run(`+what+`, { resultTypes: ["violations"] }).then((r) => JSON.stringify(r.violations.map((v) =>
		v.id + ": " + v.help + ": " + v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160) + " " + (n.any[0] || n.all[0] || n.none[0] || { message: "" }).message).join(" | "))))`, &text,
		func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }))
	var wrong []string
	require.NoError(x.t, json.Unmarshal([]byte(text), &wrong))
	require.Empty(x.t, wrong, strings.Join(wrong, "\n"))
}

// The page of all committed results is of a size that opens, and says how long that
// takes.
func TestOpens(t *testing.T) {
	path := filepath.Join(t.TempDir(), "all.html")
	shmbench(t, "report", "-o", path, "results", verdicts(t), specs(t), broken(t))
	x := open(t, path, "")
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Less(t, info.Size(), int64(2.5e6))
	const took = `(() => { const n = performance.getEntriesByType("navigation")[0]; return n.domContentLoadedEventEnd - n.startTime; })()`
	const paint = `performance.getEntriesByName("first-contentful-paint")[0].startTime`
	x.until(`performance.getEntriesByName("first-contentful-paint").length > 0`)
	t.Logf("%.2f MB, first paint after %.0f ms, open after %.0f ms", float64(info.Size())/1e6, eval[float64](x, paint), eval[float64](x, took))
}

// In print there is no button, since no user can press it, and what is shown is there.
func TestPrint(t *testing.T) {
	for _, l := range looked {
		if l.name == "whole" {
			continue
		}
		x := open(t, l.page(t), l.fragment)
		if l.name != "known" {
			x.until(`!!document.querySelector(".viewer")`)
		}
		x.do(emulation.SetEmulatedMedia().WithMedia("print"), chromedp.EmulateViewport(794, 1123))
		require.Empty(t, eval[[]string](x, `[...document.querySelectorAll(".code, .command code")].filter((c) => c.scrollWidth > c.clientWidth + 1).map((c) => c.textContent.slice(0, 80))`), "code is cut off")
		shown := eval[[]string](x, `[...document.querySelectorAll("form, nav, .viewer button, .viewer input")].filter((e) => e.offsetParent !== null).map((e) => e.outerHTML.slice(0, 80))`)
		require.Empty(t, shown)
		require.True(t, eval[bool](x, `!!document.querySelector(".viewer .now, svg.plot").getClientRects().length`))
		var pdf []byte
		x.do(chromedp.ActionFunc(func(ctx context.Context) (err error) {
			pdf, _, err = page.PrintToPDF().Do(ctx)
			return err
		}))
		require.True(t, strings.HasPrefix(string(pdf), "%PDF"))
		x.do(chromedp.EmulateViewport(397, 559)) // a quarter of that page
		require.Empty(t, eval[[]string](x, `[...document.querySelectorAll(".wide")].filter((c) => c.scrollWidth > c.clientWidth + 1).map((c) => c.getAttribute("aria-label"))`), "cut off")
	}
}
