package browser

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

var (
	mutant  = playing("mutant", "mutants/peterson-turn-other")
	weak    = playing("weak", "peterson/peterson")
	lamport = playing("lamport", "bakery/lamport")
	course  = playing("course", "-course")
)

func playing(name string, args ...string) made {
	return once("play-"+name+".html", func(t *testing.T, path string) { shmbench(t, append([]string{"play", "-o", path}, args...)...) })
}

// step clicks the button of a process.
func (x *tab) step(pid int) {
	x.t.Helper()
	x.click(fmt.Sprintf(".column:nth-child(%d) .choices .step", pid+1))
}

// searched waits until the page says what is possible.
func (x *tab) searched() {
	x.t.Helper()
	x.until(`!document.getElementById("searched").textContent.startsWith("Searching")`)
}

// TestPlayAMutant: a reader clicks a mutant into a violation, and the page knew that it is
// possible; the way that the page shows ends there too. The correct lock has none.
func TestPlayAMutant(t *testing.T) {
	x := open(t, mutant(t), "#goal=together")
	x.searched()
	require.Regexp(t, `Two processes in the critical section at once: possible after \d+ steps`, x.text("#possible"))
	inside := `document.querySelectorAll(".column.critical").length`
	require.Equal(t, 0, eval[int](x, inside))
	actors := eval[[]int](x, `possibleOf(player.sys, player.sys.initial(), 1e5).together.actors`)
	for k, pid := range actors {
		x.step(pid)
		require.Contains(t, x.text(".now"), fmt.Sprintf("Process %d ", pid))
		require.True(t, strings.HasPrefix(x.text("output"), fmt.Sprintf("step %d of %d", k+1, k+1)))
	}
	require.Equal(t, 2, eval[int](x, inside))
	require.Contains(t, x.text("#solved"), fmt.Sprintf("Solved in %d steps.", len(actors)))
	require.False(t, eval[bool](x, `!!document.getElementById("which").offsetParent`), "there is no list of exercises")
	x.press("u")
	require.Empty(t, x.text("#solved"))
	require.NotEqual(t, 2, eval[int](x, inside))
	x.press("r")
	x.do(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}}))
	x.searched()
	x.click("#possible li:first-child button")
	require.Equal(t, 2, eval[int](x, inside))

	y := open(t, weak(t), "")
	y.searched()
	require.Contains(t, y.text("#possible"), "Two processes in the critical section at once: impossible from here.")
	require.Contains(t, y.text("#searched"), "All 32 states")
	y.shot("play")
}

// TestPlayLinks: a page says in words what a link asks for, and what of it the page cannot do.
func TestPlayLinks(t *testing.T) {
	for fragment, says := range map[string][2]string{
		"goal=passed:1:3":                      {"#task", "The goal of this link: other processes enter 3 times while process 1 is in its entry section."},
		"goal=past:0:1":                        {"#task", "other processes enter once while process 0 is in its entry section, past its doorway."},
		"goal=past:7:1":                        {"#task", `The link has the unknown goal "past:7:1": expected together, stuck, panic, passed:1:3 or past:1:3.`},
		"goal=apart":                           {"#task", `unknown goal "apart"`},
		"lock=tas/tas":                         {"#limits", "The link is of tas/tas, and this page plays peterson/peterson."},
		"lock=peterson/peterson&edit=delete+2": {"#limits", "The link is of peterson/peterson with delete 2, and this page plays peterson/peterson."},
		"memory=weak":                          {"#limits", `The link is for the memory "weak", which this page does not have.`},
		"do=0,0,0,9":                           {"#limits", "Step 4 of the link cannot be made here."},
	} {
		x := open(t, weak(t), "#"+fragment)
		require.Contains(t, x.text(says[0]), says[1], fragment)
		require.Empty(t, x.text("#solved"), fragment)
	}
	x := open(t, mutant(t), "#goal=together")
	x.searched()
	x.click("#possible li:first-child button")
	x.until(`document.getElementById("solved").textContent`)
	solved := x.text("#solved")
	x.click("#interesting")
	require.Equal(t, solved, x.text("#solved"), "further steps do not count")
}

// TestPlayKeys: numbers step, f and a number moves a store to memory, and the other keys go
// back and forward.
func TestPlayKeys(t *testing.T) {
	x := open(t, weak(t), "#memory=tso")
	x.press("0")
	require.Equal(t, "process 0: q[0] := 1", x.text(".under li"))
	require.Equal(t, "Process 0 stores 1 in q[0], in its store buffer on line 1 (peterson/peterson.go:88).", x.text(".now"))
	x.press("f")
	x.press("0")
	require.Empty(t, eval[[]string](x, `[...document.querySelectorAll(".under li")].map((l) => l.textContent)`))
	require.Equal(t, "1", eval[string](x, `document.querySelector(".cells tbody tr td").textContent`))
	x.press("1")
	x.press(kb.ArrowLeft)
	x.press(kb.ArrowLeft)
	require.True(t, strings.HasPrefix(x.text("output"), "step 1 of 3"))
	x.press("y")
	require.True(t, strings.HasPrefix(x.text("output"), "step 2 of 3"))
	require.True(t, eval[bool](x, `document.getElementById("keys").hidden`))
	x.press("?")
	require.False(t, eval[bool](x, `document.getElementById("keys").hidden`))
	x.press("i")
	require.NotEqual(t, "0", eval[string](x, `String(player.at)`))
}

// TestPlayWeakRegisters: the reader chooses what a read returns that overlaps a write.
func TestPlayWeakRegisters(t *testing.T) {
	x := open(t, weak(t), "#memory=regular&do=1,1,1,1,0")
	require.Equal(t, []string{"process 0: q[0] := 1"}, eval[[]string](x, `[...document.querySelectorAll(".under li")].map((l) => l.textContent)`))
	choices := eval[[]string](x, `[...document.querySelectorAll(".column:nth-child(2) .step")].map((b) => b.textContent)`)
	require.Equal(t, []string{"step process 1: read 0", "step process 1: read 1"}, choices)
	x.click(".column:nth-child(2) .step:nth-child(2)")
	require.Contains(t, x.text(".now"), "Process 1 reads 1 from q[0]")
}

// TestPlayUndo: a thousand steps are undone one by one, and the link of a position opens it in
// another profile.
func TestPlayUndo(t *testing.T) {
	x := open(t, lamport(t), "")
	states := eval[[]string](x, `(() => {
		const seen = [player.run.state.join()];
		while (seen.length < 20) {
			random();
			seen.push(player.run.state.join());
		}
		return seen;
	})()`)
	require.Greater(t, len(states), 10)
	x.click("#undo")
	x.press("y")
	at := eval[int](x, "player.at")
	require.Equal(t, states[at], eval[string](x, "player.run.state.join()"))
	x.until(`location.hash === "#" + link()`)
	fragment := eval[string](x, "location.hash")
	require.Contains(t, fragment, "lock=bakery/lamport")
	y := openAnew(t, lamport(t), fragment)
	require.Equal(t, states[at], eval[string](y, "player.run.state.join()"))
	for ; at > 0; at-- {
		x.press("u")
		require.Equal(t, states[at-1], eval[string](x, "player.run.state.join()"))
	}

	// tas/ttas goes on without end.
	z := open(t, playing("ttas", "tas/ttas")(t), "")
	back := eval[bool](z, `(() => {
		const seen = [];
		for (let k = 0; k < 1000; k++) { seen.push(player.run.state.join()); random(); }
		for (let k = 999; k >= 0; k--) { player.stepper.act("back"); if (player.run.state.join() !== seen[k]) return false; }
		return player.at === 0;
	})()`)
	require.True(t, back)
}

// openAnew opens a page in a profile of its own.
func openAnew(t *testing.T, path, fragment string) *tab {
	t.Helper()
	allocated, stop := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(stop)
	ctx, cancel := chromedp.NewContext(allocated)
	t.Cleanup(cancel)
	x := &tab{t, ctx}
	x.do(chromedp.Navigate("file://" + path + fragment))
	return x
}

// TestExercises: each of the twelve exercises can be solved, is not solved at first, and says
// so when it is.
func TestExercises(t *testing.T) {
	page := course(t)
	for k := range 12 {
		x := open(t, page, fmt.Sprintf("#exercise=%d", k+1))
		require.Equal(t, 12, eval[int](x, "played.exercises.length"))
		require.Empty(t, x.text("#solved"), "exercise %d", k+1)
		schedule := eval[[]int](x, `solve(player.sys, goal(), 300000)`)
		require.NotEmpty(t, schedule, "exercise %d", k+1)
		for _, actor := range schedule {
			require.Empty(t, x.text("#solved"), "exercise %d", k+1)
			eval[bool](x, fmt.Sprintf("(take(%d), true)", actor))
		}
		require.Contains(t, x.text("#solved"), fmt.Sprintf("Solved in %d steps. ", len(schedule)), "exercise %d", k+1)
		if k == 0 {
			x.until(`location.hash === "#" + link()`)
			y := openAnew(t, page, eval[string](x, "location.hash"))
			require.Equal(t, x.text("#solved"), y.text("#solved"))
			x.shot("exercise")
		}
	}
}

// TestPlayLook: axe-core finds nothing, dark and light, wide and narrow, and nothing is wider
// than the screen.
func TestPlayLook(t *testing.T) {
	for _, colors := range []string{"light", "dark"} {
		for _, width := range []int64{1280, 390} {
			x := open(t, weak(t), "#memory=tso&do=0,1,0", scheme(colors), chromedp.EmulateViewport(width, 1100))
			x.searched()
			require.LessOrEqual(t, eval[int64](x, "document.documentElement.scrollWidth"), width)
			x.axe("document")
			x.shot(fmt.Sprintf("play-%s-%d", colors, width))
		}
	}
	x := open(t, course(t), "#exercise=1")
	x.searched()
	x.axe("document")
}

// TestPlaySize: a page for two processes is small.
func TestPlaySize(t *testing.T) {
	for _, page := range []made{weak, lamport, course} {
		info, err := os.Stat(page(t))
		require.NoError(t, err)
		require.Less(t, info.Size(), int64(300_000), filepath.Base(page(t)))
	}
}
