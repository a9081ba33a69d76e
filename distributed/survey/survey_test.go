package survey

import (
	"bytes"
	"context"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
	"shmbench/distributed/catalog"
	"shmbench/distributed/several"
	"shmbench/distributed/sim"
	"shmbench/internal/testkit/sample"
)

func find(t *testing.T, name string) *distributed.Algorithm {
	a, err := catalog.Find(name)
	require.NoError(t, err)
	return a
}

// Every algorithm costs what its specification says, at both loads, and what the books
// agree on comes out exactly.
func TestTableByTheBook(t *testing.T) {
	sample.NeedsAll(t)
	rows, err := Table(t.Context(), subjects(7, catalog.All...), 1, nil)
	require.NoError(t, err)
	require.Len(t, rows, len(catalog.All))
	by := map[string]Row{}
	for _, r := range rows {
		by[r.Algorithm] = r
		for _, c := range []Cost{r.Idle, r.Busy, r.Wait, r.Throughput, r.Share, r.SyncDelay, r.Bypass} {
			agrees, any := c.Agrees()
			require.True(t, agrees || !any, "%s: %+v", r.Algorithm, c)
		}
		agrees, any := r.Lone.Agrees()
		require.True(t, agrees || !any, "%s: %+v", r.Algorithm, r.Lone)
		require.InDelta(t, 1, float64(r.Jain), 0.01, r.Algorithm)
	}
	require.InDelta(t, 18, float64(by["lamport"].Idle.Messages), 0.2)
	require.InDelta(t, 12, float64(by["ricart-agrawala"].Busy.Messages), 0.2)
	require.InDelta(t, 3*6.0/7, float64(by["central"].Idle.Messages), 0.1)
	require.InDelta(t, 1, float64(by["token-ring"].Busy.Messages), 0.01)
	require.InDelta(t, 1, float64(by["ricart-agrawala"].SyncDelay.Messages), 0.001)
	require.InDelta(t, 2*6.0/7*6/7+6.0/7/7*2, float64(by["central"].SyncDelay.Messages), 0.1)
	require.InDelta(t, 1, float64(by["ricart-agrawala"].Throughput.Messages), 1e-6, "1/d: what a lecture leaves open")
	require.InDelta(t, 1, float64(by["token-ring"].Throughput.Messages), 1e-6)
	require.Equal(t, 1.0, float64(by["central"].Share.Messages), "the bottleneck")
	require.Equal(t, [2]int{1, 7}, [2]int{by["token-ring"].Lone.Least, by["token-ring"].Lone.Most})
	require.Equal(t, [2]int{0, 7}, [2]int{by["suzuki-kasami"].Lone.Least, by["suzuki-kasami"].Lone.Most})
	require.Equal(t, [2]int{0, 8}, [2]int{by["raymond"].Lone.Least, by["raymond"].Lone.Most}, "2D")
	require.True(t, by["raymond"].Lone.All)
	require.Zero(t, by["central-bully"].Lone.States, "its timers send too")
	require.Equal(t, "all stop", by["central"].Crashes[0].Word())
	require.Equal(t, "others go on", by["central"].Crashes[2].Word())
	require.Equal(t, "all stop", by["ricart-agrawala"].Crashes[2].Word())

	var text bytes.Buffer
	require.NoError(t, Rows(rows).WriteText(&text))
	require.Equal(t, 1, strings.Count(text.String(), "≠"), "in the legend alone")
}

// A specification that promises what the algorithm does not keep is found out.
func TestWrongSpecificationIsCaught(t *testing.T) {
	a := *find(t, "lamport")
	a.Cost.Busy = func(c distributed.Config) (float64, float64) {
		return float64(2 * (c.Nodes - 1)), float64(2 * (c.Nodes - 1))
	}
	rows, err := Table(t.Context(), subjects(7, &a), 1, nil)
	require.NoError(t, err)
	agrees, any := rows[0].Busy.Agrees()
	require.True(t, any)
	require.False(t, agrees)
	var text bytes.Buffer
	require.NoError(t, Rows(rows).WriteText(&text))
	require.Equal(t, 2, strings.Count(text.String(), "≠"))
}

// The dearest lone request by path reversal goes along a path of all nodes, which
// requests make of any tree, where few of the states of rest can be tried.
func TestDearestLoneRequest(t *testing.T) {
	for _, tree := range []string{"binary", "star", "path", "kary:5"} {
		for _, n := range []int{2, 16, 31} {
			for _, name := range []string{"naimi-trehel", "mueller"} {
				s := subjects(n, find(t, name))[0]
				var err error
				s.System.Parent, err = distributed.ParseTree(tree, n)
				require.NoError(t, err)
				l, err := lone(s)
				require.NoError(t, err)
				require.Equal(t, [2]int{0, n}, [2]int{l.Least, l.Most}, "%s of %d nodes, %s", tree, n, name)
			}
		}
	}
	a := *find(t, "naimi-trehel")
	a.Cost.Lone = func(c distributed.Config) (float64, float64) { return 0, float64(c.Nodes + 1) }
	l, err := lone(subjects(31, &a)[0])
	require.NoError(t, err)
	require.False(t, l.All)
	agrees, any := l.Agrees()
	require.True(t, any)
	require.False(t, agrees, "a bound that is not reached")
}

// Every column has a specification that it finds out.
func TestWrongColumnsAreCaught(t *testing.T) {
	a := *find(t, "raymond")
	no := func(distributed.Config) (float64, float64) { return 77, 78 }
	a.Cost.Wait, a.Cost.Throughput, a.Cost.Share, a.Cost.Lone, a.Cost.Sync, a.Cost.Bypass = no, no, no, no, no, no
	rows, err := Table(t.Context(), subjects(7, &a), 1, nil)
	require.NoError(t, err)
	var text bytes.Buffer
	require.NoError(t, Rows(rows).WriteText(&text))
	require.Equal(t, 1+6, strings.Count(text.String(), "≠"))
}

// A coordinator that also asks pays for its own entries with fewer messages, and every
// column of the central algorithm allows for this.
func TestCoordinatorThatAsks(t *testing.T) {
	var progress [][2]int
	rows, err := Table(t.Context(), subjects(7, find(t, "central")), 1, func(done, of int) { progress = append(progress, [2]int{done, of}) })
	require.NoError(t, err)
	require.Equal(t, [][2]int{{1, 1}}, progress)
	r := rows[0]
	for _, c := range []Cost{r.Idle, r.Busy, r.Wait, r.Throughput, r.Share, r.SyncDelay, r.Bypass} {
		agrees, any := c.Agrees()
		require.True(t, agrees && any, "%+v", c)
	}
}

// A coordinator that only serves is what a lecture's 3, 2d and 1/2d are about.
func TestDedicatedServer(t *testing.T) {
	s := subjects(7, find(t, "central"))
	s[0].System.Server = true
	rows, err := Table(t.Context(), s, 1, nil)
	require.NoError(t, err)
	r := rows[0]
	require.EqualValues(t, 3, r.Idle.Messages)
	require.EqualValues(t, 2, r.Wait.Messages)
	require.EqualValues(t, 2, r.SyncDelay.Messages)
	require.InDelta(t, 0.5, float64(r.Throughput.Messages), 1e-6)
	require.Equal(t, [2]int{3, 3}, [2]int{r.Lone.Least, r.Lone.Most})
	require.InDelta(t, 1, float64(r.Jain), 0.01, "of those who ask")
	for _, c := range []Cost{r.Idle, r.Busy, r.Wait, r.Throughput, r.Share} {
		agrees, any := c.Agrees()
		require.True(t, agrees && any, "%+v", c)
	}
	s = subjects(7, find(t, "raymond"))
	s[0].System.Server = true
	_, err = Table(t.Context(), s, 1, nil)
	require.EqualError(t, err, "raymond has no server: every node asks")
}

func TestCrashWords(t *testing.T) {
	for word, c := range map[string]Crash{
		"others go on":                  {Runs: 5},
		"all stop":                      {Runs: 5, Stopped: 5},
		"some starve 2/5":               {Runs: 5, Starved: 2},
		"all stop 3/5":                  {Runs: 5, Stopped: 3},
		"all stop 1/5, some starve 2/5": {Runs: 5, Stopped: 1, Starved: 2},
		"two enter 1/5":                 {Runs: 5, Stopped: 1, Unsafe: 1},
	} {
		require.Equal(t, word, c.Word())
	}
}

func TestFit(t *testing.T) {
	n := []float64{31, 100, 316, 1000}
	curve := func(f func(n float64) float64) []float64 {
		var out []float64
		for _, x := range n {
			out = append(out, f(x))
		}
		return out
	}
	require.Equal(t, "3 N^1.00", Fit(n, curve(func(n float64) float64 { return 3 * n })).String())
	require.Equal(t, "2 N^0.50", Fit(n, curve(func(n float64) float64 { return 2 * math.Sqrt(n) })).String())
	require.Equal(t, "1 + 2 ln N", Fit(n, curve(func(n float64) float64 { return 1 + 2*math.Log(n) })).String())
	require.Equal(t, "3", Fit(n, curve(func(n float64) float64 { return 3 })).String())
	require.Equal(t, "–", Fit(n[:2], n[:2]).String())

	// All errors count, not only that of the last point.
	require.Equal(t, "0.98 N^0.50", Fit(n, []float64{6.68, 8, 14.2, 37.9}).String(), "the logarithm is nearer to the last point alone")
	require.Equal(t, "-13 + 5.4 ln N", Fit(n, []float64{5.57, 10, 23.1, 22.1}).String(), "the last error of the power is less than all of the logarithm's")
}

// The growth of an algorithm is that of its own points, from 30 nodes on, which have a cost.
func TestGrowthOf(t *testing.T) {
	points := []ScalePoint{{Algorithm: "b", Nodes: 30, Idle: 5}, {Algorithm: "a", Nodes: 29, Idle: 1000}, {Algorithm: "a", Nodes: 2000, Idle: 0}}
	for _, n := range []int{30, 100, 300} {
		points = append(points, ScalePoint{Algorithm: "a", Nodes: n, Idle: sim.Number(3 * n)})
	}
	require.Equal(t, "3 N^1.00", growthOf(points, "a", idleOf).String())
	require.Equal(t, "–", growthOf(points, "b", idleOf).String())
}

// A lone request costs the messages that arrive until the permission where a token goes around.
// Elsewhere it costs all of its messages.
func TestLoneRequest(t *testing.T) {
	for name, want := range map[string][2]int{"token-ring": {1, 5}, "central": {0, 3}} {
		l, err := lone(subjects(5, find(t, name))[0])
		require.NoError(t, err)
		require.Equal(t, want, [2]int{l.Least, l.Most}, name)
		require.True(t, l.All, name)
		agrees, any := l.Agrees()
		require.True(t, agrees && any, "%s: %+v", name, l)
	}
}

func TestScale(t *testing.T) {
	sample.NeedsAll(t)
	nodes := []int{31, 63, 127}
	points, err := Scale(t.Context(), []*distributed.Algorithm{find(t, "raymond"), find(t, "ricart-agrawala")}, nodes, 1, nil)
	require.NoError(t, err)
	require.Len(t, points, 6)
	g := growthOf(points, "ricart-agrawala", idleOf)
	require.InDelta(t, 1, g.Power, 0.03)
	g = growthOf(points, "raymond", idleOf)
	require.Zero(t, g.Power)
	require.Positive(t, g.Slope)
	require.InDelta(t, 4, float64(points[2].Busy), 0.1)

	var text, svg bytes.Buffer
	require.NoError(t, ScalePoints(points).WriteText(&text))
	require.Contains(t, text.String(), "ln N")
	require.NoError(t, WriteScaleFigure(&svg, points))

	_, err = Scale(t.Context(), nil, []int{5}, 1, nil)
	require.ErrorContains(t, err, "at least two numbers")
}

// Maekawa's messages grow as √n: of quorums of one kind.
func TestMaekawaGrowsAsTheRoot(t *testing.T) {
	sample.NeedsAll(t)
	points, err := Scale(t.Context(), []*distributed.Algorithm{find(t, "maekawa")}, []int{64, 144, 324}, 1, nil)
	require.NoError(t, err)
	g := growthOf(points, "maekawa", idleOf)
	require.InDelta(t, 0.5, g.Power, 0.06, "%v", g) // 3(2√n − 2) is not quite a power
}

// What would fill the machine is left out, and says so.
func TestScaleLeavesOut(t *testing.T) {
	points, err := Scale(t.Context(), []*distributed.Algorithm{find(t, "ricart-agrawala")}, []int{10, 20, 1 << 20}, 1, nil)
	require.NoError(t, err)
	require.Contains(t, points[2].IdleLeftOut, "too many for one machine")
	require.Contains(t, points[2].BusyLeftOut, "too many for one machine")
	var text bytes.Buffer
	require.NoError(t, ScalePoints(points).WriteText(&text))
	require.Contains(t, text.String(), "– ricart-agrawala, from 1048576 nodes on: about")
	require.True(t, math.IsNaN(float64(points[2].Idle)))
}

func TestStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	rows, err := Table(ctx, subjects(5, catalog.All...), 1, nil)
	require.ErrorIs(t, err, context.Canceled)
	require.Empty(t, rows)
}

func subjects(n int, algorithms ...*distributed.Algorithm) (all []Subject) {
	for _, a := range algorithms {
		all = append(all, Subject{a, distributed.Config{Nodes: n, Threads: 1}, 1})
	}
	return all
}

// Raymond's bound is 2D of the tree in use, and what it costs follows the tree.
func TestTableFollowsTheTree(t *testing.T) {
	a := find(t, "raymond")
	costs := map[string]Row{}
	for _, tree := range []string{"star", "binary", "path"} {
		s := subjects(15, a)
		parent, err := distributed.ParseTree(tree, 15)
		require.NoError(t, err)
		s[0].System.Parent = parent
		rows, err := Table(t.Context(), s, 1, nil)
		require.NoError(t, err)
		costs[tree] = rows[0]
		for _, c := range []Cost{rows[0].Idle, rows[0].Busy} {
			agrees, any := c.Agrees()
			require.True(t, agrees && any, "%s: %+v", tree, c)
		}
	}
	for tree, diameter := range map[string]int{"star": 2, "binary": 6, "path": 14} {
		require.Equal(t, diameter, costs[tree].Diameter)
		require.EqualValues(t, 2*diameter, costs[tree].Idle.Most)
	}
	require.Less(t, float64(costs["star"].Idle.Messages), float64(costs["binary"].Idle.Messages))
	require.Less(t, float64(costs["binary"].Idle.Messages), float64(costs["path"].Idle.Messages))
	require.Greater(t, float64(costs["path"].Idle.Messages), 4.0, "which a star's bound would refuse")
}

// With several resources an entry costs the same, and more enter in a time.
func TestTableOfResources(t *testing.T) {
	s := Subject{several.Algorithm(find(t, "ricart-agrawala"), 2, several.InTurn(2)), distributed.Config{Nodes: 7, Threads: 1}, 2}
	rows, err := Table(t.Context(), []Subject{s}, 1, nil)
	require.NoError(t, err)
	require.InDelta(t, 12, float64(rows[0].Idle.Messages), 1e-9)
	require.InDelta(t, 12, float64(rows[0].Busy.Messages), 0.2)
	require.True(t, math.IsNaN(float64(rows[0].SyncDelay.Messages)), "who waits may wait for another resource")
	var text bytes.Buffer
	require.NoError(t, Rows(rows).WriteText(&text))
	require.Contains(t, text.String(), "2 resources, each request for one of them")
	require.NotContains(t, text.String(), "NaN")
	_, judged := rows[0].Busy.Agrees()
	require.False(t, judged, "a book's full load is of one resource")
}
