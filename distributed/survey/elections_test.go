package survey

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
	"shmbench/distributed/election"
	"shmbench/internal/testkit/sample"
)

// Every election sends what the literature says, on rings of all orders where
// there are few nodes, and on random ones.
func TestElectionsByTheBook(t *testing.T) {
	sample.NeedsAll(t)
	for _, n := range []int{2, 6, 16} {
		rows, err := Elections(t.Context(), election.All, n, 1, nil)
		require.NoError(t, err)
		for _, r := range rows {
			require.True(t, r.Agrees(), "%+v", r)
			require.Positive(t, float64(r.Time))
			require.Equal(t, r.Rings == randomRings && r.Most > r.Messages, r.Half > 0, "%+v", r)
		}
		var text bytes.Buffer
		require.NoError(t, ElectionRows(rows).WriteText(&text))
		require.Equal(t, 1, strings.Count(text.String(), "≠"), "in the legend alone")
	}
}

// A formula that is not kept is found out: the bully's false alarm is no O(n²),
// and Chang and Roberts's mean no n log₂ n.
func TestWrongFormulaIsCaught(t *testing.T) {
	for name, wrong := range map[string]struct {
		of       string
		messages func(n int) float64
	}{
		"bully":         {"false alarm", func(n int) float64 { return float64(n * n) }},
		"chang-roberts": {"mean", func(n int) float64 { return 4 * float64(n) }},
		"peterson-ring": {"worst", func(n int) float64 { return 5 * float64(n) }},
	} {
		a := election.All[slices.IndexFunc(election.All, func(a *election.Algorithm) bool { return a.Name == name })]
		changed := *a
		changed.Cases = nil
		for _, c := range a.Cases {
			if c.Name == wrong.of {
				c.Messages = wrong.messages
				changed.Cases = append(changed.Cases, c)
			}
		}
		rows, err := Elections(t.Context(), []*election.Algorithm{&changed}, 16, 1, nil)
		require.NoError(t, err)
		require.Len(t, rows, 1)
		require.False(t, rows[0].Agrees(), name)
		var text bytes.Buffer
		require.NoError(t, ElectionRows(rows).WriteText(&text))
		require.Equal(t, 2, strings.Count(text.String(), "≠"))
	}
}

// A case over all rings has each order of a small ring once, and 400 random rings of more
// nodes. The first error ends it.
func TestRingsOfACase(t *testing.T) {
	for _, c := range []struct {
		over  election.Rings
		nodes int
		rings int
	}{
		{election.Ascending, 9, 1}, {election.Descending, 9, 1}, {election.AllRings, 4, 6}, {election.AllRings, 7, 720}, {election.AllRings, 12, 400},
	} {
		count := 0
		seen := map[string]bool{}
		require.NoError(t, rings(c.over, c.nodes, 1, func(ring []distributed.ID) error {
			count++
			seen[fmt.Sprint(ring)] = true
			return nil
		}))
		require.Equal(t, c.rings, count, "%+v", c)
		require.Len(t, seen, c.rings, "%+v", c)

		count = 0
		stop := errors.New("stop")
		require.Equal(t, stop, rings(c.over, c.nodes, 1, func([]distributed.ID) error {
			count++
			return stop
		}))
		require.Equal(t, 1, count, "%+v", c)
	}
	require.NoError(t, rings(election.Ascending, 3, 1, func(ring []distributed.ID) error {
		require.Nil(t, ring)
		return nil
	}))
	require.NoError(t, rings(election.Descending, 3, 1, func(ring []distributed.ID) error {
		require.Equal(t, []distributed.ID{2, 1, 0}, ring)
		return nil
	}))
}

// Of several that begin at once ring sends a whole election for each, Chang and
// Roberts's little more than for one.
func TestSeveralInitiators(t *testing.T) {
	rows, err := Initiators(t.Context(), election.All, 16, 1)
	require.NoError(t, err)
	require.Len(t, rows, 5)
	for _, r := range rows {
		require.EqualValues(t, r.Initiators*31, r.Messages["ring"])
		require.NotContains(t, r.Messages, "bully")
	}
	last := rows[4]
	require.Less(t, float64(last.Messages["chang-roberts"]), 2*float64(rows[0].Messages["chang-roberts"]))
	require.Less(t, float64(last.Messages["chang-roberts"]), float64(last.Messages["ring"])/5)
	var text bytes.Buffer
	require.NoError(t, WriteWasted(&text, rows))
	require.Contains(t, text.String(), "496")
}

func TestElectionsStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	rows, err := Elections(ctx, election.All, 5, 1, nil)
	require.ErrorIs(t, err, context.Canceled)
	require.Empty(t, rows)
}
