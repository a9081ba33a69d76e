package sim

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
	"shmbench/distributed/lease"
)

// Who stays inside forever stops a coordinator without leases. One with them
// lets others in beside it; where that ends nothing, the resource is kept whole, and
// the run of a resource that takes every write ends when it is not.
func TestHangInARun(t *testing.T) {
	hang := []Fault{{Kind: Hang, At: 5 * time.Second}}
	o := system(find(t, "central"), 5, 1, Saturated(), 500)
	o.Faults, o.Warmup = hang, 0
	require.Equal(t, Stuck, run(t, o).End)
	o.Warmup = 400
	r := run(t, o)
	require.Equal(t, Stuck, r.End)
	require.Zero(t, r.Entries, "it ended before the entries that count")
	o.Warmup = 0

	o.Algorithm = &lease.Register
	r = run(t, o)
	require.Equal(t, Violated, r.End)
	require.Regexp(t, `^at .* entered while node \d thread 0 was in its critical section$`, r.Detail)

	o.GoOn = true
	r = run(t, o)
	require.Equal(t, Complete, r.End, r.Detail)
	require.Positive(t, r.Overlaps)
	require.Equal(t, int64(1), r.Messages[distributed.Stale])
	require.Empty(t, r.NotCarriedOut)

	o.Faults = []Fault{hang[0], {Kind: Hang, At: 10 * time.Second}}
	r = run(t, o)
	require.LessOrEqual(t, r.Overlaps, int64(r.Entries), "an entry while two are inside is one")

	o.Algorithm, o.Faults = &lease.Mutants[0], hang
	r = run(t, o)
	require.Equal(t, Violated, r.End)
	require.Regexp(t, `^at .* a write with token \d+ was taken after one with token \d+$`, r.Detail)

	o.Algorithm, o.Faults = &lease.Register, []Fault{{Kind: Hang, At: time.Hour}}
	r = run(t, o)
	require.Equal(t, Complete, r.End)
	require.Equal(t, []string{"hang at 1h0m0s: the run ended before"}, r.NotCarriedOut)

	// One request at a time: the others ask all the same.
	o.Load, o.Faults = Single(), hang
	require.Equal(t, Complete, run(t, o).End)
}

// A section longer than the lease is cut short, and no process enters before.
func TestLeaseRunsOut(t *testing.T) {
	for _, nodes := range []int{2, 5} { // alone a thread is inside again when its first section would have ended
		o := system(&lease.Register, nodes, 1, Saturated(), 500)
		o.Section, o.System.Lease = Fixed(600*time.Millisecond), 4
		r := run(t, o)
		require.Equal(t, Complete, r.End, r.Detail)
		require.InDelta(t, 550, r.Revoked, 1)
		o.System.Lease = 12
		require.Zero(t, run(t, o).Revoked)
	}
}

// Elections let both sides of a cut begin a reign; a register, or a majority, lets
// one, and when the network is whole again all are served.
func TestCutInARun(t *testing.T) {
	for name, end := range map[string]End{"central-bully": Violated, "central-register": Complete, "central-majority": Complete, "lease-register": Complete} {
		for _, side := range [][]distributed.ID{{1}, {1, 2}, {3, 4}, {2, 5}} {
			o := system(find(t, name), 6, 1, Saturated(), 3000)
			o.Warmup, o.Faults = 0, []Fault{{Kind: Cut, At: 10 * time.Second, Side: side}, {Kind: Heal, At: 60 * time.Second}}
			r := run(t, o)
			require.Equal(t, end, r.End, "%s, cut off: %v: %s", name, side, r.Detail)
			require.Zero(t, r.Starving)
		}
		o := system(find(t, name), 6, 1, Poisson(1), 3000)
		o.Random = RandomFaults{Cut: 20 * time.Second, Heal: 5 * time.Second}
		require.Equal(t, end, run(t, o).End, "%s, cuts at random", name)
	}
}

// A register neither crashes nor is cut off, and who asks for that is told.
func TestNothingBefallsARegister(t *testing.T) {
	o := system(&lease.Register, 4, 1, Poisson(1), 300)
	for _, c := range []struct {
		fault Fault
		says  string
	}{
		{Fault{Kind: Crash}, "crash 0 at 0s: node 0 of lease-register is a register, which does not crash"},
		{Fault{Kind: Cut, Side: []distributed.ID{0, 1}}, "cut 0,1 at 0s: node 0 of lease-register is a register, which no cut parts from anybody; name the others"},
		{Fault{Kind: Cut, Side: []distributed.ID{1, 2, 3}}, "cut 1,2,3 at 0s: a side of all nodes but the register of lease-register separates no nodes"},
	} {
		o.Faults = []Fault{c.fault}
		_, err := Begin(o)
		require.EqualError(t, err, c.says)
	}
	o.Faults, o.Random.Crash, o.Random.Repair = nil, 10*time.Second, time.Second
	e, err := newEngine(&o)
	require.NoError(t, err)
	e.start()
	e.play(t.Context(), 100_000)
	require.Equal(t, Complete, e.end, e.detail)
	require.Positive(t, e.meter.crashes)
	require.Zero(t, e.incarnation[0])

	o.System.Nodes, o.Random = 2, RandomFaults{Cut: time.Second}
	_, err = Begin(o)
	require.EqualError(t, err, "cuts every 1s: lease-register with one node beside its register has no nodes to separate")
}

// Who crashes when it enters sets no timer any more.
func TestTheDeadSetNoTimer(t *testing.T) {
	o := system(&lease.Register, 4, 1, Saturated(), 500)
	o.Warmup, o.Faults = 0, []Fault{{Kind: CrashInside, At: 5 * time.Second}}
	for o.Seed = range uint64(10) {
		r := run(t, o)
		require.Equal(t, Complete, r.End, r.Detail)
	}
}
