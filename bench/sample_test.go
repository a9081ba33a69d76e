package bench

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/locks/baseline"
)

func values(s Sample) map[string]float64 {
	all := map[string]float64{}
	for _, v := range s.Values {
		all[v.Unit] = v.Value
	}
	return all
}

func TestASampleOfKnownNotes(t *testing.T) {
	s := workedOut().sample(baseline.Null)
	require.Equal(t, uint64(1000), s.Passages)
	require.Len(t, s.Values, len(workedOutAnswers))
	require.Empty(t, Wrong(workedOutChecks()))
}

func TestASampleOfAnOpenLoopSaysIfTheRateWasReached(t *testing.T) {
	n := workedOut()
	n.workload.Rate = 1e6
	require.Equal(t, 0.75, values(n.sample(baseline.Null))[reached])
}

func TestASampleOfOneProcessSaysNothingOfOthers(t *testing.T) {
	n := workedOut()
	n.workload.Procs, n.passages = 1, n.passages[:1]
	got := values(n.sample(baseline.Null))
	for _, unit := range []string{bypass, handoffP50, handoffP99, jainShort, longestRun, reacquire} {
		require.NotContains(t, got, unit)
	}
	require.Equal(t, 90_000_000.0, float64(int(got[maxLatency]/1e6+0.5))*1e6)
}

func TestASampleSaysHowFewPassagesThereWere(t *testing.T) {
	n := workedOut()
	for _, c := range []struct {
		least uint64
		says  bool
	}{{19, true}, {20, false}} {
		n.passages[1] = c.least
		got, ok := values(n.sample(baseline.Null))[leastPassages]
		require.Equal(t, c.says, ok)
		if ok {
			require.Equal(t, 19.0, got)
		}
	}
	n.closed = n.open
	require.Zero(t, n.sample(baseline.Null).Passages)
	require.Empty(t, n.sample(baseline.Null).Values)
}

// The notes of a trial are those of the counted window, whatever was done in
// the others.
func TestNotesAreOfTheirWindows(t *testing.T) {
	tr, err := newTrial(get(t, "queue/ticket"), Workload{Procs: 2, Rate: 10})
	require.NoError(t, err)
	for phase := range phases {
		tr.section.edges[phase] = edge{at: int64(phase) * 10, passage: uint64(phase) * 100}
		tr.opened[phase] = int64(phase) * 1000
		tr.procs[0].passages[phase] = 1 + uint64(phase)
		tr.procs[1].passages[phase] = 2 * (1 + uint64(phase))
	}
	tr.procs[0].began, tr.procs[1].began = 0, 1000
	tr.procs[0].arrivals.due = tr.opened[over] + 7 // not late
	tr.procs[1].arrivals.due = tr.opened[over] - 900
	n := tr.notes(usage{cpu: 5})
	require.Equal(t, []uint64{1 + uint64(counting), 2 * (1 + uint64(counting))}, n.passages)
	require.Equal(t, tr.section.edges[counting], n.open)
	require.Equal(t, tr.section.edges[ordering], n.closed)
	require.Equal(t, usage{cpu: 5}, n.spent)
	require.InDelta(t, 1-900.0/9000, n.reached, 1e-9, "900 ns late of 5000 and 4000 ns")
}
