package compiled

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/internal/build/twin"
	"shmbench/predict"
	"shmbench/shm"
)

// ticket is a ticket lock on the twin. Its tests say what it must cost.
type ticket struct {
	next    twin.Uint32
	_       shm.Pad
	serving twin.Uint32
	_       shm.Pad
}

func (l *ticket) Lock(int) {
	my := l.next.Add(1) - 1
	twin.Until(func() bool { return l.serving.Load() == my })
}

func (l *ticket) Unlock(int) { l.serving.StoreRelease(l.serving.Load() + 1) }

// hooks is a lock of two functions.
type hooks struct{ lock, unlock func(pid int) }

func (h hooks) Lock(pid int)   { h.lock(pid) }
func (h hooks) Unlock(pid int) { h.unlock(pid) }

// spec has a lock that build makes.
func spec(build func() shm.Mutex) shm.Algorithm {
	return shm.Algorithm{Name: "test/lock", New: func(int) (shm.Mutex, error) { return build(), nil }}
}

var ticketSpec = spec(func() shm.Mutex { return new(ticket) })

func machine() *predict.Machine {
	return &predict.Machine{Name: "test", Topology: "sockets=2,cores=4", Order: predict.CoresFirst,
		Transfer: map[string]float64{"cores": 40, "sockets": 100}, Memory: 80, ReadOccupancy: 10, RMW: 7, Hit: 2, Store: 1, Gap: 1,
		Pause: 40, SpinExit: 10, Policy: predict.InOrder, SiblingWork: 1, SiblingPoll: 1}
}

func modeled(t *testing.T, a shm.Algorithm, w Workload, o Options) *Result {
	t.Helper()
	r, err := Run(t.Context(), a, Trial{Lock: a.Name, Machine: machine(), Workload: w, Options: o})
	require.NoError(t, err)
	return r
}

func value(t *testing.T, r *Result, unit string) float64 {
	t.Helper()
	v, ok := r.Get(unit)
	require.True(t, ok, unit)
	return v
}

// Alone, a ticket lock moves no line. Its addition takes 7 ns, its two loads 2
// each, its posted store nothing but its turn; the section loads once and posts
// twice. There is a gap of 1 before each of the seven.
func TestOneProcess(t *testing.T) {
	for cs, ns := range map[time.Duration]float64{0: 20, 100: 120} {
		r := modeled(t, ticketSpec, Workload{Procs: 1, CS: cs}, Options{})
		require.InDelta(t, ns, value(t, r, "ns/op"), 2)
		require.Zero(t, value(t, r, TransfersPerOp))
		require.Empty(t, r.Transfers)
		require.Equal(t, uint64(20), r.Passages)
		require.False(t, r.Short)
	}
}

// A lock in the order of arrival: everybody is passed by all others, once, and
// what a process waits and what it does besides are together what all passages of a
// round take.
func TestInOrder(t *testing.T) {
	const n = 4
	r := modeled(t, ticketSpec, Workload{Procs: n, CS: 200}, Options{})
	require.Equal(t, float64(n-1), value(t, r, "bypass"))
	require.Equal(t, 1.0, value(t, r, "longest-run"))
	require.InDelta(t, 1, value(t, r, "jain"), 0.001)
	ns := value(t, r, "ns/op")
	require.InDelta(t, n*ns, value(t, r, "mean-ns")+value(t, r, "ns/op")-value(t, r, "handoff-ns"), 0.1*n*ns)
	require.Greater(t, value(t, r, "handoff-ns"), 40.0, "a line must come")
	require.InDelta(t, ns-200, value(t, r, "handoff-ns"), 0.5*ns)
	require.Equal(t, []string{"cores"}, keys(r.Transfers), "the first four are in one socket")
	require.Contains(t, keys(modeled(t, ticketSpec, Workload{Procs: 8}, Options{}).Transfers), "sockets")
}

func keys(m map[string]float64) (all []string) {
	for k := range m {
		all = append(all, k)
	}
	return all
}

func TestDeterministic(t *testing.T) {
	w := Workload{Procs: 8, NCS: 50, Lines: 2}
	o := Options{Seed: 7, Explain: true}
	require.Equal(t, modeled(t, ticketSpec, w, o), modeled(t, ticketSpec, w, o))
	other := o
	other.Seed = 8
	require.NotEqual(t, modeled(t, ticketSpec, w, o).Values, modeled(t, ticketSpec, w, other).Values)
}

// A posted store is seen by its own process at once, and by others when it drains.
func TestPostedStores(t *testing.T) {
	type words struct {
		flag [2]twin.Uint32
		lock twin.Bool
	}
	l := new(words)
	seen := map[string]bool{}
	a := spec(func() shm.Mutex {
		return hooks{func(pid int) {
			for l.lock.Swap(true) {
				twin.Pause()
			}
			mine, other := &l.flag[pid], &l.flag[1-pid]
			other.Load() // so that the line is fetched
			mine.StoreRelease(mine.Load() + 1)
			seen[fmt.Sprintf("own %v", mine.Load() == 0)] = true
			before := mine.Load()
			mine.StoreRelease(before + 1)
			mine.StoreRelease(before + 2)
			seen[fmt.Sprintf("newest %v", mine.Load() == before+2)] = true
		}, func(int) { l.lock.Store(false) }}
	})
	modeled(t, a, Workload{Procs: 2}, Options{})
	require.Equal(t, map[string]bool{"own false": true, "newest true": true}, seen)
	require.Equal(t, uint32(0), l.flag[0].Load()%3, "every store has drained or none of a passage")
}

// A compare-and-swap that fails leaves the copies of those that poll valid.
func TestFailedCompareAndSwap(t *testing.T) {
	var x twin.Uint32
	var got []bool
	a := spec(func() shm.Mutex {
		return hooks{func(int) { got = append(got, x.CompareAndSwap(5, 6), x.CompareAndSwap(0, 0)) }, func(int) {}}
	})
	modeled(t, a, Workload{Procs: 1}, Options{})
	require.Equal(t, []bool{false, true}, got[:2])
}

// TestPausesTakeTime: each pause of a lock takes the time of the machine's pause and its gap.
func TestPausesTakeTime(t *testing.T) {
	ns := func(pauses int) float64 {
		var x twin.Uint32
		a := spec(func() shm.Mutex {
			return hooks{func(int) {
				x.Add(1)
				for range pauses {
					twin.Pause()
				}
			}, func(int) {}}
		})
		return value(t, modeled(t, a, Workload{Procs: 1}, Options{}), "ns/op")
	}
	require.InDelta(t, 5*(40+1), ns(5)-ns(0), 1)
}

// TestRegistersOfALine: registers that share 64 bytes share a line of the model, and each has a
// word of its own.
func TestRegistersOfALine(t *testing.T) {
	engine, err := predict.NewEngine(machine(), 1)
	require.NoError(t, err)
	d := &driver{engine: engine, words: map[uintptr]int32{}, byLine: map[uintptr]int32{}, at: map[int32]uintptr{}}
	var words []int32
	for _, at := range []uintptr{0x1000, 0x1008, 0x103c, 0x1040, 0x1008} {
		words = append(words, d.word(at))
	}
	require.Equal(t, []int32{0, 1, 2, 3, 1}, words)
	require.EqualValues(t, 2, engine.AddLine(), "there are two lines before")
	require.Equal(t, map[int32]uintptr{0: 0x1000, 1: 0x1008, 2: 0x103c, 3: 0x1040}, d.at)
}

// What is said about a run that cannot be.
func TestRefused(t *testing.T) {
	run := func(a shm.Algorithm, w Workload, o Options) string {
		_, err := Run(t.Context(), a, Trial{Machine: machine(), Workload: w, Options: o})
		require.Error(t, err)
		return err.Error()
	}
	nothing := func(int) {}
	require.Equal(t, "9 processes on a machine of 8 hardware threads: more processes than processors are out of the model",
		run(ticketSpec, Workload{Procs: 9}, Options{}))
	opaque := ticketSpec
	opaque.Class = shm.Opaque
	require.Equal(t, "test/lock: its processes sleep in the operating system or the Go runtime, which the model does not have", run(opaque, Workload{Procs: 1}, Options{}))
	panics := spec(func() shm.Mutex { return hooks{func(int) { panic("at work") }, nothing} })
	require.Equal(t, "test/lock with 1 processes: process 0 panics in its lock: at work", run(panics, Workload{Procs: 1}, Options{}))
	none := spec(func() shm.Mutex { return hooks{nothing, nothing} })
	require.Equal(t, "two processes were in their critical sections at once", modeled(t, none, Workload{Procs: 2, CS: 100}, Options{}).Violated)
	var never twin.Bool
	stuck := spec(func() shm.Mutex { return hooks{func(int) { twin.Until(never.Load) }, nothing} })
	require.Equal(t, "all processes wait forever", modeled(t, stuck, Workload{Procs: 3}, Options{}).Violated)
	require.Equal(t, "test/lock with 4 processes: there were as many accesses as there may be, and no passage to count",
		run(ticketSpec, Workload{Procs: 4}, Options{Accesses: 1}))
}

// A process that never gets in ends the window at the bound, and its wait counts.
func TestShort(t *testing.T) {
	var x twin.Uint32
	var never twin.Bool
	a := spec(func() shm.Mutex {
		return hooks{func(pid int) {
			if pid == 1 {
				twin.Until(never.Load)
			}
			x.Add(1)
		}, func(int) {}}
	})
	r := modeled(t, a, Workload{Procs: 2}, Options{Accesses: 3000})
	require.True(t, r.Short)
	require.Zero(t, value(t, r, "least-passages"))
	require.Greater(t, value(t, r, "max-ns"), 100*value(t, r, "ns/op"))
	require.Greater(t, value(t, r, "bypass"), 100.0)
	require.InDelta(t, 0.5, value(t, r, "jain"), 0.001)
}

// Each transfer has the line of source and the register that it is for.
func TestSites(t *testing.T) {
	r := modeled(t, ticketSpec, Workload{Procs: 4, Lines: 1}, Options{Explain: true})
	all, writes := 0.0, map[string]float64{}
	for _, s := range r.Sites {
		for _, n := range s.Transfers {
			all += n
			if s.Write {
				writes[s.Register] += n
			}
		}
		require.Equal(t, s.Register == "section", s.Source == "section", s)
		if s.Register != "section" {
			require.True(t, strings.HasPrefix(s.Source, "compiled/compiled_test.go:2"), s.Source)
		}
	}
	require.InDelta(t, value(t, r, TransfersPerOp), all, 1e-9)
	require.InDelta(t, 1, writes["next"], 0.1)
	require.InDelta(t, 1, writes["serving"], 0.1)
	require.InDelta(t, 2, writes["section"], 0.2)
}

// An open loop waits until passages are due, and counts from then.
func TestOpenLoop(t *testing.T) {
	r := modeled(t, ticketSpec, Workload{Procs: 2, Rate: 100_000}, Options{Passages: 300})
	require.InDelta(t, 5000, value(t, r, "ns/op"), 1000, "two processes that come every 10 microseconds")
	slow := modeled(t, ticketSpec, Workload{Procs: 2, Rate: 1e8}, Options{Passages: 300})
	require.Greater(t, value(t, slow, "mean-ns"), 20*value(t, slow, "ns/op"), "they come sooner than they are served")
}
