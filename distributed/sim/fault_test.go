package sim

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
)

// What is broken is caught, with the time and the names.
func TestBrokenNodesAreCaught(t *testing.T) {
	for name, c := range map[string]struct {
		node func(me distributed.ID) distributed.Node
		load Load
		end  End
		says string
	}{
		"lets everybody in": {func(distributed.ID) distributed.Node {
			f := &fake{}
			f.request = func(t distributed.Thread, out *distributed.Out) { out.Grant(t) }
			return f
		}, Saturated(), Violated, "at 0s node 1 thread 0 entered while node 0 thread 0 was in its critical section"},
		"lets in who does not wait": {func(distributed.ID) distributed.Node {
			f := &fake{}
			f.request = func(t distributed.Thread, out *distributed.Out) { out.Grant(7) }
			return f
		}, Saturated(), Violated, "at 0s node 0 let thread 7 enter, which does not wait"},
		"sends to itself": {func(me distributed.ID) distributed.Node {
			f := &fake{}
			f.request = func(t distributed.Thread, out *distributed.Out) { out.Send(distributed.Message{From: me, To: me}) }
			return f
		}, Saturated(), Violated, "at 0s node 0 sent to node 0: 0→0 request"},
		"lets nobody in": {func(distributed.ID) distributed.Node { return &fake{} }, Saturated(), Stuck,
			"nothing can happen after 0s; threads that wait: 3, node 0 thread 0 since 0s"},
		"talks forever": {func(me distributed.ID) distributed.Node {
			f := &fake{}
			talk := func(out *distributed.Out) { out.Send(distributed.Message{From: me, To: (me + 1) % 3}) }
			f.request = func(_ distributed.Thread, out *distributed.Out) { talk(out) }
			f.receive = func(_ distributed.Message, out *distributed.Out) { talk(out) }
			return f
		}, Saturated(), Stalled, "no thread has entered for 33s; threads that wait: 3, node 0 thread 0 since 0s"},
	} {
		r := run(t, system(algorithm(c.node), 3, 1, c.load, 100))
		require.Equal(t, c.end, r.End, name)
		require.Contains(t, r.Detail, c.says, name)
	}
}

func TestPlannedFaults(t *testing.T) {
	at := 3 * time.Second
	for name, c := range map[string]struct {
		algorithm string
		load      Load
		faults    []Fault
		end       End
		says      string
	}{
		"a coordinator dies": {"central", Saturated(), []Fault{{At: at, Kind: Crash, Node: 0}}, Stuck, "nodes that are down: 1"},
		"a bystander dies":   {"central", Single(), []Fault{{At: at, Kind: Crash, Node: 3}}, Complete, ""},
		"one of all dies":    {"ricart-agrawala", Saturated(), []Fault{{At: at, Kind: Crash, Node: 3}}, Stuck, "nodes that are down: 1"},
		"a cut forever":      {"ricart-agrawala", Saturated(), []Fault{{At: at, Kind: Cut, Side: []distributed.ID{0, 1}}}, Stuck, "the network is parted"},
		"a cut around two":   {"central", Single(), []Fault{{At: at, Kind: Cut, Side: []distributed.ID{3, 4}}}, Stuck, "the network is parted"},
		"a cut that heals":   {"central", Single(), []Fault{{At: at, Kind: Cut, Side: []distributed.ID{3, 4}}, {At: at + 1, Kind: Heal}}, Complete, ""},
		"who is inside dies": {"central", Single(), []Fault{{At: at, Kind: CrashInside}}, Stuck, "nodes that are down: 1"},
		"who rests dies":     {"central", Single(), []Fault{{At: at, Kind: CrashResting}}, Complete, ""},
		"a reply is lost":    {"ricart-agrawala", Saturated(), []Fault{{At: at, Kind: Lose, Node: 1, To: 2}}, Stuck, "threads that wait: 5"},
		"the token is lost":  {"raymond", Saturated(), []Fault{{At: at, Kind: Lose, Node: 0, To: 1}, {At: at, Kind: Lose, Node: 1, To: 0}}, Stuck, "wait"},
		"a token is doubled": {"naimi-trehel", Saturated(), []Fault{{At: at, Kind: Copy, Node: 0, To: 1}, {At: at, Kind: Copy, Node: 1, To: 2}}, Violated, "node"},
	} {
		o := system(find(t, c.algorithm), 5, 1, c.load, 3000)
		o.Faults = c.faults
		r := run(t, o)
		require.Equal(t, c.end, r.End, "%s: %s", name, r.Detail)
		require.Contains(t, r.Detail, c.says, name)
	}
}

// More messages under way than there is room for end the run.
func TestFlood(t *testing.T) {
	o := system(algorithm(func(me distributed.ID) distributed.Node {
		f := &fake{}
		flood := func(out *distributed.Out) {
			for range 10 {
				out.Send(distributed.Message{From: me, To: (me + 1) % 3})
			}
		}
		f.request = func(_ distributed.Thread, out *distributed.Out) { flood(out) }
		f.receive = func(_ distributed.Message, out *distributed.Out) { flood(out) }
		return f
	}), 3, 1, Single(), 1)
	e, err := newEngine(&o)
	require.NoError(t, err)
	e.room = 1000
	e.start()
	e.play(t.Context(), 1000)
	require.Equal(t, Flooded, e.end)
	require.Contains(t, e.detail, "there were 1000 messages under way")
}

// There is room for several broadcasts of all threads, and for many messages of
// few; the queue sets an end to it.
func TestRoomForEvents(t *testing.T) {
	require.Equal(t, 100_000, room(3, 1))
	require.Equal(t, 20*100*110, room(100, 10))
	require.Equal(t, maxSlots-10_000, room(10_000, 1))
}

func TestUntil(t *testing.T) {
	o := system(find(t, "token-ring"), 5, 1, Poisson(1), 1<<30)
	o.Warmup, o.Until = 0, time.Minute
	r := run(t, o)
	require.Equal(t, TimeUp, r.End)
	require.Contains(t, r.Detail, "the time was up at 1m0s")
	require.InDelta(t, 300, r.Entries, 60)

	// The clock has an end too.
	o = system(find(t, "raymond"), 2, 1, Poisson(1e-6), 100_000)
	o.Warmup = 0
	r = run(t, o)
	require.Equal(t, TimeUp, r.End)
	require.Less(t, r.Entries, 10_000)
	require.Positive(t, r.Waiting.Mean)
}

// Timers expire when set to, not when canceled, and once when set anew.
func TestTimers(t *testing.T) {
	var expired []distributed.TimerID
	var e *engine
	o := system(algorithm(func(me distributed.ID) distributed.Node {
		f := &fake{}
		f.request = func(_ distributed.Thread, out *distributed.Out) {
			if me == 0 {
				out.Set(1, 2)
				out.Set(2, 1)
				out.Set(3, 1)
				out.Cancel(2)
				out.Set(3, 4)
			}
		}
		f.expire = func(id distributed.TimerID, _ *distributed.Out) {
			expired = append(expired, id, distributed.TimerID(e.now/int64(second)))
		}
		return f
	}), 2, 1, Saturated(), 1)
	o.Tick, o.Until = second, time.Hour
	e, err := newEngine(&o)
	require.NoError(t, err)
	e.start()
	e.play(t.Context(), 1000)
	require.Equal(t, []distributed.TimerID{1, 2, 3, 4}, expired, "timer, time")
}

const second = time.Second

func TestRandomFaults(t *testing.T) {
	o := system(find(t, "ricart-agrawala"), 5, 1, Poisson(1), 100_000)
	o.Random.Duplication = 1e-9 // as good as never
	require.Equal(t, Complete, run(t, o).End)
	o.Random = RandomFaults{Loss: 0.01}
	r := run(t, o)
	require.Equal(t, Stuck, r.End)
	require.NotZero(t, r.Lost)

	o = system(find(t, "central"), 20, 1, Poisson(1), 5000)
	o.Random = RandomFaults{Cut: 100 * time.Second, Heal: time.Second, Crash: 1000 * time.Second}
	r = run(t, o)
	require.NotEqual(t, Complete, r.End, "no algorithm without time-outs survives this")
	require.NotEmpty(t, r.Detail)
}

// Half of a broadcast goes out: with the crash of node 3 two of its four
// requests are under way, and the other two never are.
func TestCrashHalfwayThroughABroadcast(t *testing.T) {
	o := system(find(t, "ricart-agrawala"), 5, 1, Saturated(), 1)
	o.Warmup, o.Faults = 0, []Fault{{Kind: CrashSending, Node: 3}}
	e, err := newEngine(&o)
	require.NoError(t, err)
	e.crashSending[3] = true
	e.start()
	var to []distributed.ID
	for _, ev := range e.slab {
		if ev.kind == arrival && ev.msg.From == 3 {
			to = append(to, ev.msg.To)
		}
	}
	require.Equal(t, []distributed.ID{0, 1}, to)
	require.True(t, e.down[3])
	o.Entries = 100
	require.Equal(t, int64(1), run(t, o).Crashes)
}

// A node that panics is a run that says so.
func TestPanicEndsTheRun(t *testing.T) {
	for name, f := range map[string]*fake{
		"request": {request: func(distributed.Thread, *distributed.Out) { panic("no room") }},
		"expire":  {request: func(_ distributed.Thread, out *distributed.Out) { out.Set(1, 1) }, expire: func(distributed.TimerID, *distributed.Out) { panic("no room") }},
	} {
		r := run(t, system(algorithm(func(distributed.ID) distributed.Node { return f }), 3, 1, Saturated(), 1))
		require.Equal(t, Violated, r.End, name)
		require.Contains(t, r.Detail, "node 0 panicked: no room")
	}
}

// The threads that wait at the end of a run are counted, with the time and the entries of others
// during their wait.
func TestWaitersAtTheEnd(t *testing.T) {
	o := system(algorithm(func(me distributed.ID) distributed.Node { // lets in node 0 alone
		f := &fake{request: func(t distributed.Thread, out *distributed.Out) {
			if me == 0 {
				out.Grant(t)
			}
		}}
		return f
	}), 3, 1, Saturated(), 100)
	o.Warmup = 0
	r := run(t, o)
	require.Equal(t, Complete, r.End)
	require.Equal(t, 2, r.Waiters)
	require.Equal(t, Waiter{Node: 1, Thread: 0, Waited: time.Second}, r.Oldest)
	require.Equal(t, time.Second, r.LongestWait)
	require.Equal(t, int64(99), r.Bypass, "all but the one that was inside first")
	require.Zero(t, r.Starving)
	o.Patience = time.Second
	require.Zero(t, run(t, o).Starving, "no longer than the patience")
	o.Patience = time.Second - 1
	require.Equal(t, 2, run(t, o).Starving)
}

// Threads of a node that crashes wait no more; nodes that rest crash one after
// the other, node 0 never.
func TestCrashesOfNodesThatWaitAndRest(t *testing.T) {
	o := system(algorithm(func(distributed.ID) distributed.Node { return &fake{} }), 4, 2, Saturated(), 1)
	o.Warmup = 0
	r := run(t, o)
	require.Equal(t, "nothing can happen after 0s; threads that wait: 8, node 0 thread 0 since 0s", r.Detail)
	o.Faults = []Fault{{At: time.Second, Kind: Crash, Node: 1}}
	r = run(t, o)
	require.Contains(t, r.Detail, "threads that wait: 6,")
	require.Contains(t, r.Detail, "nodes that are down: 1")

	o.Load = Single() // no thread has asked yet
	e, err := newEngine(&o)
	require.NoError(t, err)
	for range 10 {
		e.plannedFault(Fault{Kind: CrashResting})
	}
	require.Equal(t, []bool{false, true, true, true}, e.down)
}

// Some thread always waits here, and some thread enters. That is no stall, even if the
// patience is short beside the run.
func TestPatienceBeginsAnewWithEachEntry(t *testing.T) {
	o := system(find(t, "central"), 5, 1, Saturated(), 500)
	o.Patience = time.Second
	r := run(t, o)
	require.Equal(t, Complete, r.End, r.Detail)
	require.Greater(t, r.Time, 20*o.Patience)
}

// One request at a time: the next comes ten delays after the last has left at the
// earliest, from any thread of any node; and what is sent while no process waits or
// is inside is told apart.
func TestSingleLoad(t *testing.T) {
	who := map[int]int{}
	var left, least int64 = -1 << 40, 1 << 40
	var e *engine
	o := system(algorithm(func(me distributed.ID) distributed.Node {
		f := &fake{}
		f.request = func(t distributed.Thread, out *distributed.Out) {
			who[int(me)*4+int(t)]++
			least = min(least, e.now-left)
			out.Grant(t)
		}
		f.release = func(distributed.Thread, *distributed.Out) { left = e.now }
		return f
	}), 3, 4, Single(), 1200)
	e, err := newEngine(&o)
	require.NoError(t, err)
	e.start()
	e.play(t.Context(), 1<<40)
	require.GreaterOrEqual(t, least, int64(time.Second))
	require.Len(t, who, 12)
	for _, n := range who {
		require.InDelta(t, 110, n, 50)
	}

	// Only the crash of the one that waits makes room for the next.
	o = system(algorithm(func(distributed.ID) distributed.Node { return &fake{} }), 3, 1, Single(), 1)
	e, err = newEngine(&o)
	require.NoError(t, err)
	e.start()
	e.play(t.Context(), 1)
	waits := distributed.ID(slices.Index(e.state, waiting))
	e.crash((waits + 1) % 3)
	require.Empty(t, e.queue.items)
	e.crash(waits)
	require.Len(t, e.queue.items, 1)

	require.Zero(t, run(t, system(find(t, "ricart-agrawala"), 5, 1, Single(), 100)).Idle)
	r := run(t, system(find(t, "token-ring"), 5, 1, Single(), 100))
	require.Greater(t, float64(r.Idle), 0.5*float64(r.Messages[distributed.Token]))
}
