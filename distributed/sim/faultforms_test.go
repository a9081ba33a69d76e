package sim

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
)

func TestBadOptions(t *testing.T) {
	for says, change := range map[string]func(o *Options){
		"1 nodes: mutual exclusion by messages wants at least 2":          func(o *Options) { o.System.Nodes = 1 },
		"1000 nodes of 2100 threads: at most 2097152 threads in all":      func(o *Options) { o.System = distributed.Config{Nodes: 1000, Threads: 2100} },
		"0 threads a node: at least 1":                                    func(o *Options) { o.System.Threads = 0 },
		"a rate of 0 requests a second: it must be above 0":               func(o *Options) { o.Load = Poisson(0) },
		"a rate of -1 requests a second: it must be above 0":              func(o *Options) { o.Load = Poisson(-1) },
		"a rate of 1e+09 requests a second: want 1e-06 to 1e+06":          func(o *Options) { o.Load = Poisson(1e9) },
		"no load: want a rate, saturation, or one request at a time":      func(o *Options) { o.Load = Load{} },
		"crash at 1s: there is no node 7 among 0..2":                      func(o *Options) { o.Faults = []Fault{{At: time.Second, Node: 7}} },
		"cut at 0s: a side of 3 of 3 nodes separates no nodes":            func(o *Options) { o.Faults = []Fault{{Kind: Cut, Side: []distributed.ID{0, 1, 2}}} },
		"lose at 0s: node 1 sends itself no message":                      func(o *Options) { o.Faults = []Fault{{Kind: Lose, Node: 1, To: 1}} },
		"0 entries: at least 1":                                           func(o *Options) { o.Entries = 0 },
		"a delay of 0: a message takes time":                              func(o *Options) { o.Delay = Fixed(0) },
		"the tree has a cycle: node 1 never reaches the root 0":           func(o *Options) { o.System.Parent = []distributed.ID{0, 2, 1} },
		"a probability of 2 for losing or copying a message: want 0 to 1": func(o *Options) { o.Random.Loss = 2 },
	} {
		o := system(find(t, "raymond"), 3, 1, Poisson(1), 10)
		change(&o)
		_, err := Run(t.Context(), o)
		require.EqualError(t, err, says)
	}
	for _, change := range []func(o *Options){
		func(o *Options) { o.Tick = LongestTime + 1 }, func(o *Options) { o.Until = clockEnd + 1 }, func(o *Options) { o.Patience = clockEnd + 1 },
	} {
		o := system(find(t, "raymond"), 3, 1, Poisson(1), 10)
		o.Tick, o.Until, o.Patience = LongestTime, clockEnd, clockEnd
		require.NoError(t, o.Check())
		change(&o)
		require.EqualError(t, o.Check(), "a tick of at most 720h0m0s, an end and a patience of at most 640511h56m49.213693952s")
	}
	o := system(find(t, "maekawa"), 3, 1, Poisson(1), 10)
	o.System.Quorums = [][]distributed.ID{{0}, {1, 2}, {2, 0}}
	_, err := Run(t.Context(), o)
	require.Error(t, err, "quorums that do not intersect")
}

func TestParseFaults(t *testing.T) {
	fs, err := ParseFaults("; crash 3 at 5s; restart 3 at 7s;cut 0,1 at 9s; heal at 12s; lose 0>1 at 3ms; copy 2>1 at 0s; crash-inside at 1s; crash-resting at 2s;")
	require.NoError(t, err)
	require.Equal(t, []Fault{
		{At: 5 * time.Second, Kind: Crash, Node: 3},
		{At: 7 * time.Second, Kind: Restart, Node: 3},
		{At: 9 * time.Second, Kind: Cut, Side: []distributed.ID{0, 1}},
		{At: 12 * time.Second, Kind: Heal},
		{At: 3 * time.Millisecond, Kind: Lose, Node: 0, To: 1},
		{At: 0, Kind: Copy, Node: 2, To: 1},
		{At: time.Second, Kind: CrashInside},
		{At: 2 * time.Second, Kind: CrashResting},
	}, fs)
	for _, bad := range []string{"crash", "crash 3", "crash x at 5s", "crash 3 at 5", "melt 3 at 5s", "heal 3 at 5s", "lose 3 at 5s", "cut at 5s", "crash 1 2 at 5s"} {
		_, err := ParseFaults(bad)
		require.ErrorContains(t, err, "is no fault", bad)
	}
}

// Every fault writes itself as it is read.
func TestFaultForms(t *testing.T) {
	fs, err := ParseFaults(FaultForms)
	require.NoError(t, err)
	kinds := map[FaultKind]bool{}
	for _, f := range fs {
		again, err := ParseFaults(f.String())
		require.NoError(t, err)
		require.Equal(t, []Fault{f}, again)
		kinds[f.Kind] = true
	}
	require.Len(t, kinds, len(faultNames))
}

// A fault that a run cannot carry out is said: a restart of nodes without a rule
// for one is refused, and what found nothing to do is listed.
func TestFaultsNotCarriedOut(t *testing.T) {
	o := system(find(t, "central"), 3, 1, Single(), 10)
	o.Faults = []Fault{{At: time.Second, Kind: Crash, Node: 1}, {At: 2 * time.Second, Kind: Restart, Node: 1}}
	_, err := Run(t.Context(), o)
	require.EqualError(t, err, "restart of node 1 at 2s: central has no rule for a restart")
	o.Faults, o.Random = nil, RandomFaults{Crash: time.Second, Repair: time.Second}
	_, err = Run(t.Context(), o)
	require.EqualError(t, err, "restarts 1s after a crash: central has no rule for a restart")

	o = system(algorithm(func(distributed.ID) distributed.Node {
		return &mortal{fake{request: func(t distributed.Thread, out *distributed.Out) { out.Grant(t) }}}
	}), 3, 1, Single(), 10)
	var none []string
	require.Equal(t, none, run(t, o).NotCarriedOut)
	o.Faults = []Fault{
		{At: time.Second, Kind: Restart, Node: 1}, {At: 2 * time.Second, Kind: Crash, Node: 1}, {At: 3 * time.Second, Kind: Crash, Node: 1},
		{At: time.Second, Kind: Lose, Node: 0, To: 1}, {At: time.Second, Kind: CrashSending, Node: 1}, {At: 700 * time.Hour, Kind: Heal},
	}
	r := run(t, o)
	require.Equal(t, []string{
		"restart 1 at 1s: the node was up", "crash 1 at 3s: the node was down", "crash-sending 1 at 1s: it sent no two messages at once any more",
		"heal at 700h0m0s: the run ended before", "lose 0>1 at 1s: there was no such message any more",
	}, r.NotCarriedOut)
	require.Equal(t, r.NotCarriedOut, Summarize([]Result{r, r}).NotCarriedOut)

	o.Algorithm = algorithm(func(distributed.ID) distributed.Node {
		return &mortal{fake{request: func(distributed.Thread, *distributed.Out) {}}}
	})
	o.Faults = []Fault{{At: time.Millisecond, Kind: CrashInside}, {At: time.Millisecond, Kind: Hang}}
	require.Equal(t, []string{"crash-inside at 1ms: no thread entered any more", "hang at 1ms: no thread entered any more"}, run(t, o).NotCarriedOut)
}
