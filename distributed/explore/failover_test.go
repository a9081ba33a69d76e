package explore_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
	"shmbench/distributed/election"
	"shmbench/distributed/explore"
	"shmbench/distributed/failover"
	"shmbench/internal/testkit/sample"
)

// Each election replaces a dead coordinator and makes a lost token anew.
func TestFailoverSurvivesCrashes(t *testing.T) {
	sample.NeedsAll(t)
	for _, e := range election.All {
		if !e.Crash {
			continue
		}
		for _, a := range []distributed.Algorithm{failover.Central(e), failover.Ring(e)} {
			for _, c := range []struct{ nodes, threads, requests, crashes int }{
				{2, 1, explore.Forever, 1}, {2, 2, 1, 1}, {3, 1, 1, 2},
			} {
				t.Run(fmt.Sprint(a.Name, c), func(t *testing.T) {
					t.Parallel()
					r := mustExplore(t, &a, c.nodes, explore.Model{
						Threads: c.threads, Requests: c.requests, FIFO: true, Timing: explore.Timely, Faults: explore.Faults{Crash: c.crashes},
					})
					for i := range r.Violations {
						require.NoError(t, r.Violations[i].WriteText(t.Output()))
					}
					require.True(t, r.Holds())
					t.Log(r.States, "states")
				})
			}
		}
	}
}

// Without a bound on delays the living are taken for dead, and two get in.
func TestFailoverNeedsTime(t *testing.T) {
	for _, a := range []distributed.Algorithm{failover.Central(&election.Bully), failover.Ring(&election.ChangRoberts)} {
		r := mustExplore(t, &a, 2, explore.Model{Threads: 1, Requests: 2, FIFO: true})
		require.NotNil(t, r.Broken(explore.MutualExclusion), a.Name)
	}
}

// What they replace does not survive the crash of the node that matters.
func TestWithoutFailoverOneCrashStopsAll(t *testing.T) {
	for _, name := range []string{"central", "token-ring", "ricart-agrawala", "lamport", "maekawa", "suzuki-kasami", "raymond", "naimi-trehel", "mueller", "alien-v1", "alien-v2-pb"} {
		r := mustExplore(t, find(t, name), 3, explore.Model{Threads: 1, Requests: 1, FIFO: true, Faults: explore.Faults{Crash: 1}})
		require.Nil(t, r.Broken(explore.MutualExclusion), name)
		require.NotNil(t, r.Broken(explore.Deadlock), name)
	}
}
