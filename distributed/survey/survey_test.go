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
)

func find(t *testing.T, name string) *distributed.Algorithm {
	a, err := catalog.Find(name)
	require.NoError(t, err)
	return a
}

// Every algorithm costs what its card says, at both loads, and what the books
// agree on comes out exactly.
func TestTableByTheBook(t *testing.T) {
	rows, err := Table(t.Context(), catalog.All, 7, 1, nil)
	require.NoError(t, err)
	require.Len(t, rows, len(catalog.All))
	by := map[string]Row{}
	for _, r := range rows {
		by[r.Algorithm] = r
		for _, c := range []Cost{r.Idle, r.Busy} {
			agrees, any := c.Agrees()
			require.True(t, agrees || !any, "%s: %+v", r.Algorithm, c)
		}
		require.InDelta(t, 1, float64(r.Jain), 0.01, r.Algorithm)
	}
	require.InDelta(t, 18, float64(by["lamport"].Idle.Messages), 0.2)
	require.InDelta(t, 12, float64(by["ricart-agrawala"].Busy.Messages), 0.2)
	require.InDelta(t, 3*6.0/7, float64(by["central"].Idle.Messages), 0.1)
	require.InDelta(t, 1, float64(by["token-ring"].Busy.Messages), 0.01)
	require.InDelta(t, 1, float64(by["ricart-agrawala"].SyncDelay), 0.001)
	require.InDelta(t, 2*6.0/7*6/7+6.0/7/7*2, float64(by["central"].SyncDelay), 0.1)
	require.Equal(t, "all stop", by["central"].Crashes[0].Word())
	require.Equal(t, "others go on", by["central"].Crashes[2].Word())
	require.Equal(t, "all stop", by["ricart-agrawala"].Crashes[2].Word())

	var text bytes.Buffer
	require.NoError(t, Rows(rows).WriteText(&text))
	require.Equal(t, 1, strings.Count(text.String(), "≠"), "in the legend alone")
}

// A card that promises what the algorithm does not keep is found out.
func TestWrongCardIsCaught(t *testing.T) {
	a := *find(t, "lamport")
	a.Cost.Busy = func(n int) (float64, float64) { return float64(2 * (n - 1)), float64(2 * (n - 1)) }
	rows, err := Table(t.Context(), []*distributed.Algorithm{&a}, 7, 1, nil)
	require.NoError(t, err)
	agrees, any := rows[0].Busy.Agrees()
	require.True(t, any)
	require.False(t, agrees)
	var text bytes.Buffer
	require.NoError(t, Rows(rows).WriteText(&text))
	require.Equal(t, 2, strings.Count(text.String(), "≠"))
}

func TestCrashWords(t *testing.T) {
	for word, c := range map[string]Crash{
		"others go on":                  {Runs: 5},
		"all stop":                      {Runs: 5, Stopped: 5},
		"some starve 2/5":               {Runs: 5, Starved: 2},
		"all stop 3/5":                  {Runs: 5, Stopped: 3},
		"all stop 1/5, some starve 2/5": {Runs: 5, Stopped: 1, Starved: 2},
		"two inside 1/5":                {Runs: 5, Stopped: 1, Unsafe: 1},
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
}

func TestScale(t *testing.T) {
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
	rows, err := Table(ctx, catalog.All, 5, 1, nil)
	require.ErrorIs(t, err, context.Canceled)
	require.Empty(t, rows)
}
