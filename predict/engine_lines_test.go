package predict

import (
	"fmt"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPostedStores: a posted store is there for its own process at once, and
// for others when it has drained; a read-modify-write waits for it.
func TestPostedStores(t *testing.T) {
	m := machine("cores=2")
	e := newTestEngine(t, m, 1)
	a, b := e.AddWord(e.AddLine(), 0), e.AddWord(e.AddLine(), 0)
	var got []uint64
	pc := 0
	e.AddProcess(steps(func(v uint64) Access {
		got = append(got, v)
		pc++
		return []Access{{Op: StoreRelease, Word: a, Arg: 7}, {Op: Load, Word: a}, {Op: Add, Word: b, Arg: 1}, {Op: End}}[pc-1]
	}), 0)
	require.NoError(t, e.Run(func() bool {
		if pc == 3 {
			require.True(t, e.Value(a) == 0 || e.Value(b) == 0)
		}
		return true
	}))
	require.Equal(t, []uint64{0, 0, 7, 1}, got)
	require.EqualValues(t, 7, e.Value(a))
	// One way from memory after the other.
	require.Greater(t, e.Now().NS(), 2*m.Memory)
}

// TestNoWakeUpIsLost: whenever a sibling writes what a process polls, which takes no
// copy away, the process sees it in its next turn.
func TestNoWakeUpIsLost(t *testing.T) {
	for at := range 300 {
		e := newTestEngine(t, machine("cores=2,threads=2"), 1)
		w := e.AddWord(e.AddLine(), 0)
		loaded, ended := false, Time(0)
		e.Marked = func(_ int, _ uint64, now Time) { ended = now }
		e.AddProcess(steps(func(got uint64) Access {
			switch {
			case ended > 0:
				return Access{Op: End}
			case loaded && got == 1:
				return Access{Op: Mark}
			case loaded:
				loaded = false
				return Access{Op: Pause}
			}
			loaded = true
			return Access{Op: Load, Word: w}
		}), 0)
		pc := 0
		e.AddProcess(steps(func(uint64) Access {
			pc++
			return []Access{{Op: Store, Word: w, Arg: 2}, {Op: Idle, Time: NS(float64(at) / 2)}, {Op: StoreRelease, Word: w, Arg: 1}, {Op: End}}[pc-1]
		}), 0)
		busy := 0
		e.AddProcess(steps(func(uint64) Access {
			busy++
			return []Access{{Op: Idle, Time: NS(1e6)}, {Op: End}}[busy-1]
		}), 0)
		require.NoError(t, e.Run(nil))
		require.Less(t, ended.NS(), 500.0, "a write after %d half ns", at)
	}
}

// TestExitIsNoTurn: a process that has polled a word loads it once more after it has changed, as the exit section of a ticket
// lock does. That load is no turn of the loop: the process must not sleep there.
func TestExitIsNoTurn(t *testing.T) {
	for _, between := range []Op{Pause, Load} {
		e := newTestEngine(t, machine("cores=3"), 1)
		w := e.AddWord(e.AddLine(), 0)
		ended := Time(0)
		e.Marked = func(_ int, _ uint64, now Time) { ended = now }
		loads, left := 0, 0
		e.AddProcess(steps(func(got uint64) Access {
			switch {
			case left == 2:
				return Access{Op: End}
			case left == 1:
				left++
				return Access{Op: Mark}
			case got > 0:
				left++
			case between == Pause && loads%2 == 1:
				loads++
				return Access{Op: Pause}
			}
			loads++
			return Access{Op: Load, Word: w}
		}), 0)
		for id, wait := range []float64{1000, 1e6} {
			other := 0
			e.AddProcess(steps(func(uint64) Access {
				other++
				return []Access{{Op: Idle, Time: NS(wait)}, {Op: Store, Word: w, Arg: uint64(1 + id)}, {Op: End}}[other-1]
			}), 0)
		}
		require.NoError(t, e.Run(nil))
		require.Greater(t, ended.NS(), 1000.0)
		require.Less(t, ended.NS(), 1500.0, "between two loads: %v", between)
	}
}

// TestWaking: a polling process is anywhere in its loop when its copy is taken away, so that it
// looks again after any part of a turn.
func TestWaking(t *testing.T) {
	const pause, runs = 1000, 200
	var all []float64
	for seed := range uint64(runs) {
		m := machine("cores=2")
		m.Pause = pause
		e := newTestEngine(t, m, seed)
		w := e.AddWord(e.AddLine(), 0)
		e.Marked = func(_ int, _ uint64, now Time) { all = append(all, now.NS()) }
		turn := 0
		e.AddProcess(steps(func(got uint64) Access {
			switch turn++; {
			case turn%2 == 1:
				return Access{Op: Load, Word: w}
			case got == 0:
				return Access{Op: Pause}
			}
			return Access{Op: Mark}
		}), 0)
		wrote := 0
		e.AddProcess(steps(func(uint64) Access {
			wrote++
			return []Access{{Op: Idle, Time: NS(10 * pause)}, {Op: StoreRelease, Word: w, Arg: 1}, {Op: End}}[wrote-1]
		}), 0)
		require.NoError(t, e.Run(func() bool { return len(all) == int(seed) }))
	}
	slices.Sort(all)
	first, last := all[0], all[runs-1]
	require.InDelta(t, pause, last-first, 0.1*pause)
	require.InDelta(t, first+pause/2, all[runs/2], 0.15*pause)
}

// TestRequest: the way of a request counts where no other process waits, and is that
// of the line, however far it is, if it is left out.
func TestRequest(t *testing.T) {
	answer := func(topology string, request float64) float64 {
		m := machine(topology)
		m.Request = request
		return m.answer()
	}
	require.Equal(t, answer("cores=2", 40), answer("cores=2", 0))
	// The way of the reader's request falls into the time that the writer waits for the line.
	require.InDelta(t, answer("cores=2", 40)-30, answer("cores=2", 10), 1)
	require.InDelta(t, answer("sockets=2,cores=1", 100), answer("sockets=2,cores=1", 0), 2)
}

// hotWord returns in which order eight processes got the line of one word, 50 times each, and how often
// it crossed the outermost level.
func hotWord(t *testing.T, topology, order, policy string) (got []int, crossings int) {
	t.Helper()
	m := machine(topology)
	m.Order, m.Policy, m.OldestChance = order, policy, 0.1
	e := newTestEngine(t, m, 1)
	w := e.AddWord(e.AddLine(), 0)
	e.Moved = func(tr Transfer) {
		got = append(got, tr.Process)
		if tr.Distance == 0 {
			crossings++
		}
	}
	for range 8 {
		e.AddProcess(fiftyAdds(w), 0)
	}
	require.NoError(t, e.Run(nil))
	require.EqualValues(t, 400, e.Value(w))
	return got, crossings
}

// TestByGroup: every core of a group has the line once, and then the other group has its turn.
func TestByGroup(t *testing.T) {
	order, crossings := hotWord(t, "complexes=2,cores=4", "0,4,1,5,2,6,3,7", ByGroup) // even and odd processes
	order = order[8:376]                                                              // without the start and the end
	for i := 0; i+4 <= len(order); i += 4 {
		visit := slices.Sorted(slices.Values(order[i : i+4]))
		first := visit[0]
		require.Equal(t, []int{first, first + 2, first + 4, first + 6}, visit, "visit %d", i/4)
	}
	require.InDelta(t, 100, crossings, 4)
}

// TestInvalidateFactor: a write waits for the answers of all groups if another group has a copy of the
// line. The factor changes nothing where no other group has a copy.
func TestInvalidateFactor(t *testing.T) {
	end := func(topology string, factor float64) float64 {
		m := machine(topology)
		m.ReadsLocal, m.InvalidateFactor = "complexes", factor
		e := newTestEngine(t, m, 1)
		w := e.AddWord(e.AddLine(), 0)
		list := func(start float64, all ...Access) {
			e.AddProcess(steps(func(uint64) Access {
				a := all[0]
				all = all[1:]
				return a
			}), NS(start))
		}
		add := Access{Op: Add, Word: w, Arg: 1}
		list(0, add, Access{Op: Idle, Time: NS(2000)}, add, Access{Op: End})
		list(1000, Access{Op: Load, Word: w}, Access{Op: End})
		require.NoError(t, e.Run(nil))
		return e.Now().NS()
	}
	require.InDelta(t, end("complexes=2,cores=1", 1), end("complexes=2,cores=1", 0), 1e-9)
	require.Greater(t, end("complexes=2,cores=1", 5), end("complexes=2,cores=1", 1))
	require.InDelta(t, end("complexes=2,cores=2", 1), end("complexes=2,cores=2", 5), 1e-9)
}

// TestNearest: those that wait as near as each other are not served in the order of
// their arrival, and a far one less often than its turn, but all of them at last.
func TestNearest(t *testing.T) {
	served := func(topology, policy string) ([]int, int) { return hotWord(t, topology, SMTFirst, policy) }
	repeats := func(order []int) (n int) {
		for i := 8; i < len(order); i++ {
			if order[i] == order[i-8] {
				n++
			}
		}
		return n
	}
	inOrder, far := served("sockets=2,cores=4", InOrder)
	require.Equal(t, len(inOrder)-8, repeats(inOrder), "a round is like the one before")
	_, fewer := served("sockets=2,cores=4", Nearest)
	require.Less(t, fewer, far/2)
	equal, _ := served("cores=8", Nearest)
	require.Less(t, repeats(equal), len(equal)/3)
}

// TestMemory: an engine is as large as the machine and as the registers, and no larger.
func TestMemory(t *testing.T) {
	size := func(cores, words int) float64 {
		m := machine(fmt.Sprintf("sockets=2,cores=%d", cores/2))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		e := newTestEngine(t, m, 1)
		for range words {
			e.AddWord(e.AddLine(), 0)
		}
		for range cores {
			e.AddProcess(steps(func(uint64) Access { return Access{Op: End} }), 0)
		}
		runtime.ReadMemStats(&after)
		return float64(after.TotalAlloc - before.TotalAlloc)
	}
	small := size(128, 128)
	require.Less(t, size(1024, 128), 8*1.5*small)
	require.Less(t, size(128, 1024), 8*1.5*small)
}

// TestASiblingSeesEveryWrite: whichever operation changes a word, a sibling that polls the word
// goes on. The core owns the line before, and no copy is taken away from it, so only the write
// itself can wake the sibling.
func TestASiblingSeesEveryWrite(t *testing.T) {
	for _, c := range []struct {
		write Access
		value uint64
	}{
		{Access{Op: Store, Arg: 5}, 5}, {Access{Op: StoreRelease, Arg: 5}, 5}, {Access{Op: Swap, Arg: 5}, 5}, {Access{Op: Add, Arg: 5}, 8},
		{Access{Op: And, Arg: 1}, 1}, {Access{Op: Or, Arg: 4}, 7}, {Access{Op: CompareAndSwap, Arg: 3, New: 5}, 5},
	} {
		e := newTestEngine(t, machine("cores=1,threads=2"), 1)
		w := e.AddWord(e.AddLine(), 3)
		c.write.Word = w
		begun, seen := false, uint64(0)
		e.AddProcess(steps(func(got uint64) Access {
			if begun && got != 3 {
				seen = got
				require.Less(t, e.Now(), NS(2000), "operation %v: it is seen while the writer goes on", c.write.Op)
				return Access{Op: End}
			}
			begun = true
			return Access{Op: Load, Word: w}
		}), NS(500))
		step := 0
		e.AddProcess(steps(func(uint64) Access {
			step++
			return []Access{{Op: Store, Word: w, Arg: 3}, {Op: Idle, Time: NS(1000)}, c.write, {Op: Work, Time: NS(100000)}, {Op: End}}[step-1]
		}), 0)
		require.NoError(t, e.Run(nil), "operation %v", c.write.Op)
		require.Equal(t, c.value, seen, "operation %v", c.write.Op)
	}
}

// TestPending: a turn of a core has the operations that wait for the line and the posted stores
// that drain to it. Loads, and what is for another line, take no part of a turn.
func TestPending(t *testing.T) {
	const here, there = 0, 1 // words, each in its own line
	store := func(words ...int32) (all []Access) {
		for _, w := range words {
			all = append(all, Access{Op: StoreRelease, Word: w, Arg: 1})
		}
		return all
	}
	add, load := Access{Op: Add, Word: here, Arg: 1}, Access{Op: Load, Word: here}
	far := Access{Op: Add, Word: there, Arg: 1}
	for _, c := range []struct {
		name   string
		procs  []proc
		merged float64 // MergedStoreChance
		want   int32
	}{
		{"an operation", []proc{{state: waiting, acc: add}}, 1, 1},
		{"two operations", []proc{{state: waiting, acc: add}, {state: waiting, acc: add}}, 1, 2},
		{"a load", []proc{{state: waiting, acc: load}}, 1, 0},
		{"another line", []proc{{state: waiting, acc: far}}, 1, 0},
		{"an operation that is not yet issued", []proc{{state: ready, acc: add}}, 1, 0},
		{"a store", []proc{{state: ready, acc: load, draining: true, buffer: store(here)}}, 1, 1},
		{"a store to another line", []proc{{state: ready, acc: load, draining: true, buffer: store(there, here)}}, 1, 0},
		{"a store that does not drain yet", []proc{{state: ready, acc: load, buffer: store(here)}}, 1, 0},
		{"a store and an operation that waits for it", []proc{{state: fenced, acc: add, draining: true, buffer: store(here)}}, 1, 2},
		{"a store and a load that waits for it", []proc{{state: fenced, acc: load, draining: true, buffer: store(here)}}, 1, 1},
		{"a store and an operation on another line", []proc{{state: fenced, acc: far, draining: true, buffer: store(here)}}, 1, 1},
		{"an operation that waits for two stores", []proc{{state: fenced, acc: add, draining: true, buffer: store(here, here)}}, 1, 1},
		{"a sibling's store", []proc{{state: waiting, acc: add}, {state: ready, acc: load, draining: true, buffer: store(here)}}, 1, 2},
		{"a sibling's store that misses its turn", []proc{{state: waiting, acc: add}, {state: ready, acc: load, draining: true, buffer: store(here)}}, 0, 1},
		{"a store alone misses no turn", []proc{{state: ready, acc: load, draining: true, buffer: store(here)}}, 0, 1},
	} {
		m := machine("cores=1,threads=2")
		m.MergedStoreChance = c.merged
		e := newTestEngine(t, m, 1)
		line := e.AddLine()
		require.EqualValues(t, here, e.AddWord(line, 0))
		require.EqualValues(t, there, e.AddWord(e.AddLine(), 0))
		for i := range c.procs {
			e.cores[0].procs = append(e.cores[0].procs, &c.procs[i])
		}
		l := e.lines[line]
		l.owner = 0
		require.Equal(t, c.want, e.pending(line, l), c.name)
	}
}
