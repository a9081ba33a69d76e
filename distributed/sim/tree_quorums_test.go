package sim

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
)

// A lone entry costs three messages for each other voter of a quorum, which
// grows from a path to half of the nodes as those near the root go down.
func TestPriceOfTreeQuorums(t *testing.T) {
	for down, others := range map[int]float64{0: 3, 1: 6 - 1, 7: 8 - 1} {
		for _, name := range []string{"agrawal-el-abbadi", "agrawal-el-abbadi-timeout"} {
			o := system(find(t, name), 15, 1, Single(), 500)
			o.Warmup = 300 // in which those that are down are found out
			for i := range down {
				o.Faults = append(o.Faults, Fault{Kind: Crash, Node: distributed.ID(i)})
			}
			r := run(t, o)
			require.Equal(t, Complete, r.End, r.Detail)
			messages := int64(0)
			for _, k := range r.Messages {
				messages += k
			}
			if down == 1 { // leaves and the children of the root have a vote themselves
				require.InDelta(t, 3*others, float64(messages)/float64(r.Entries), 0.1, "%s, %d down", name, down)
				continue
			}
			require.EqualValues(t, 3*others*float64(r.Entries), messages, "%s, %d down", name, down)
		}
	}
}

// Any ⌊log₂ n⌋ crashes leave the others a quorum. The base form stops where a node
// crashes with votes.
func TestTreeQuorumsSurviveCrashes(t *testing.T) {
	for seed := range uint64(5) {
		o := system(find(t, "agrawal-el-abbadi-timeout"), 15, 1, Saturated(), 2000)
		o.Warmup, o.Seed = 0, seed
		for k := range time.Duration(3) {
			o.Faults = append(o.Faults, Fault{At: (10 + 20*k) * time.Second, Kind: CrashInside})
		}
		r := run(t, o)
		require.Equal(t, Complete, r.End, r.Detail)
		require.EqualValues(t, 3, r.Crashes)

		o.Algorithm = find(t, "agrawal-el-abbadi")
		r = run(t, o)
		require.NotEqual(t, Complete, r.End)
		require.NotEqual(t, Violated, r.End)
	}
}

// A tick that is too short takes the living for dead: that costs messages, not all
// of them voters forever, and safety only where votes are taken back.
func TestTreeQuorumsWithEarlyTimers(t *testing.T) {
	o := system(find(t, "agrawal-el-abbadi"), 15, 1, Single(), 1000)
	o.Tick = 30 * time.Millisecond
	r := run(t, o)
	require.Equal(t, Complete, r.End, r.Detail)
	require.Less(t, float64(r.Messages[distributed.Request])/float64(r.Entries), 7.0)

	o.Load, o.Tick, o.Section, o.Entries = Saturated(), 20*time.Millisecond, Fixed(10*time.Second), 50
	require.Equal(t, Complete, run(t, o).End)
	o.Algorithm = find(t, "agrawal-el-abbadi-timeout")
	require.Equal(t, Violated, run(t, o).End)
}
