package sim

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
	"shmbench/distributed/catalog"
)

// A node that restarts is told so, gets no message and no timer of before, and
// its threads ask anew.
func TestRestart(t *testing.T) {
	var log []string
	o := system(algorithm(func(me distributed.ID) distributed.Node {
		f := &mortal{}
		f.request = func(t distributed.Thread, out *distributed.Out) {
			if me == 1 {
				out.Grant(t)
				out.Set(1, 100)
			}
		}
		f.expire = func(distributed.TimerID, *distributed.Out) { log = append(log, "expired") }
		f.recover = func(*distributed.Out) { log = append(log, "recovered") }
		return f
	}), 2, 1, Saturated(), 1<<30)
	o.Section = Fixed(time.Hour) // inside at the crash
	o.Warmup, o.Until = 0, 9*time.Second
	o.Faults = []Fault{{At: 5 * time.Second, Kind: Crash, Node: 1}, {At: 6 * time.Second, Kind: Restart, Node: 1}}
	r := run(t, o)
	require.Equal(t, []string{"recovered"}, log)
	require.Equal(t, int64(1), r.CrashedInside)
	require.Equal(t, TimeUp, r.End)
	require.Contains(t, r.Detail, "threads that wait: 1, node 0 thread 0 since 0s")
}

// A node that has restarted takes part again: its threads ask and are let in.
// It restarts after the time to repair, and crashes again after the time to crash.
func TestRestartedNodeTakesPart(t *testing.T) {
	asked := 0
	mortals := algorithm(func(me distributed.ID) distributed.Node {
		f := &mortal{}
		f.request = func(t distributed.Thread, out *distributed.Out) {
			if me == 1 {
				asked++
				out.Grant(t)
			}
		}
		return f
	})
	o := system(mortals, 2, 1, Saturated(), 1)
	o.Warmup, o.Section = 0, Fixed(time.Hour)
	o.Faults = []Fault{{At: time.Second, Kind: Crash, Node: 1}, {At: 2 * time.Second, Kind: Restart, Node: 1}}
	r := run(t, o)
	require.Equal(t, Complete, r.End, r.Detail)
	require.Equal(t, 2, asked)
	require.Equal(t, time.Hour+2*time.Second, time.Duration(r.Time))

	o.Load, o.Faults, o.Random = Poisson(1), nil, RandomFaults{Crash: 700 * time.Hour, Repair: time.Second}
	e, err := newEngine(&o)
	require.NoError(t, err)
	due := func(kind eventKind) (d time.Duration) {
		pending := len(e.slab)
		e.randomFault(event{kind: kind, msg: distributed.Message{To: 1}})
		require.Equal(t, pending+1, len(e.slab))
		for _, x := range e.queue.items {
			if x.slot() == e.n+pending {
				d = time.Duration(x.at)
			}
		}
		return d
	}
	require.Less(t, due(crash), time.Minute)
	require.Greater(t, due(repair), time.Minute)
	require.False(t, e.down[1])
}

// What was sent to a node before its restart does not reach it after.
func TestRestartForgetsWhatWasSent(t *testing.T) {
	var got []string
	o := system(algorithm(func(me distributed.ID) distributed.Node {
		f := &mortal{}
		f.request = func(_ distributed.Thread, out *distributed.Out) {
			if me == 0 {
				out.Send(distributed.Message{From: 0, To: 1})
				out.Set(1, 5)
			}
		}
		f.expire = func(_ distributed.TimerID, out *distributed.Out) {
			out.Send(distributed.Message{From: 0, To: 1, Stamp: 2})
		}
		f.receive = func(m distributed.Message, _ *distributed.Out) { got = append(got, m.String()) }
		return f
	}), 2, 1, Saturated(), 1)
	o.Delay, o.Tick, o.Until = Fixed(3*time.Second), time.Second, 20*time.Second
	o.Faults = []Fault{{At: time.Second, Kind: Crash, Node: 1}, {At: 2 * time.Second, Kind: Restart, Node: 1}}
	run(t, o)
	require.Equal(t, []string{"0→1 request stamp=2"}, got)
}

// The failover algorithms survive three crashes of five nodes while a tick is
// above every delay; with a tick too short they take the living for dead, and
// two are inside.
func TestFailover(t *testing.T) {
	for _, name := range []string{"central-bully", "central-ring", "token-ring-chang-roberts"} {
		for seed := range uint64(5) {
			for _, l := range []Load{Poisson(0.2), Saturated(), Single()} {
				o := system(find(t, name), 5, 1, l, 300)
				o.Warmup, o.Seed = 0, seed
				o.Faults = []Fault{{At: 5 * time.Second, Kind: Crash, Node: 4}, {At: 10 * time.Second, Kind: CrashInside}, {At: 20050 * time.Millisecond, Kind: Crash}}
				r := run(t, o)
				require.Equal(t, Complete, r.End, "%s, %v: %s", name, l, r.Detail)
			}
		}
	}
	o := system(find(t, "central-bully"), 5, 1, Saturated(), 3000)
	o.Tick = 30 * time.Millisecond
	r := run(t, o)
	require.Equal(t, Violated, r.End)
	require.Contains(t, r.Detail, "was in its critical section")
}

// The nodes of all failover algorithms come back after their crashes and take part again,
// also leaders and nodes in their critical sections. No process waits forever.
func TestFailoverWithRestarts(t *testing.T) {
	for _, a := range catalog.All {
		if !a.Claims.Restart {
			continue
		}
		t.Run(a.Name, func(t *testing.T) {
			t.Parallel()
			crashes := int64(0)
			for seed := range uint64(20) {
				o := system(a, 4, 1, []Load{Poisson(0.2), Saturated()}[seed%2], 2000)
				o.Warmup, o.Seed = 0, seed
				o.Random = RandomFaults{Crash: time.Minute, Repair: 10 * time.Second}
				if a.Claims.CrashFrom > 0 {
					o.Patience = 10 * time.Minute // till enough are up again
				}
				r := run(t, o)
				require.Equal(t, Complete, r.End, "seed %d: %s", seed, r.Detail)
				require.Zero(t, r.Starving)
				crashes += r.Crashes
			}
			require.Greater(t, crashes, int64(30))
		})
	}
}
