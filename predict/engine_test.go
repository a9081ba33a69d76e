package predict

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// machine is a model with round figures.
func machine(topology string) *Machine {
	return &Machine{
		Name: "round", Topology: topology, Order: SMTFirst,
		Transfer: map[string]float64{"cores": 40, "complexes": 70, "dies": 90, "sockets": 100},
		Memory:   80, ReadOccupancy: 12, FarReadOccupancy: 4, RMW: 6, Hit: 1, Store: 1, Gap: 1, Pause: 5, SpinExit: 10,
		Policy: InOrder, MergedStoreChance: 1, SiblingWork: 1.5, SiblingPoll: 1.2,
	}
}

func newTestEngine(t testing.TB, m *Machine, seed uint64) *Engine {
	t.Helper()
	e, err := NewEngine(m, seed)
	require.NoError(t, err)
	return e
}

// steps is a process made of a function.
type steps func(got uint64) Access

func (s steps) Next(got uint64) Access { return s(got) }

func (s set) len() (n int) {
	for _, word := range s {
		n += bits.OnesCount64(word)
	}
	return n
}

// broken says which invariant of the protocol does not hold, if any.
func (e *Engine) broken() string {
	for id, l := range e.lines {
		sharers, fetching := 0, int32(0)
		for c := range e.cores {
			if l.sharers.has(c) {
				sharers++
			}
			if l.fetching.has(c) {
				fetching++
			}
		}
		switch {
		case l.owner >= 0 && sharers > 0:
			return fmt.Sprintf("line %d has a writer and %d readers", id, sharers)
		case l.owner >= 0 && fetching > 0:
			return fmt.Sprintf("line %d has a writer while %d reads are under way", id, fetching)
		case fetching != l.fetches:
			return fmt.Sprintf("line %d counts %d reads of %d", id, l.fetches, fetching)
		case l.running && (l.owner < 0 || l.inFlight):
			return fmt.Sprintf("line %d is written by who does not have it", id)
		}
		for i, r := range l.queue {
			for _, s := range l.queue[:i] {
				if r.core == s.core {
					return fmt.Sprintf("core %d waits twice for line %d", r.core, id)
				}
			}
			if !l.queued.has(int(r.core)) {
				return fmt.Sprintf("core %d waits for line %d, and is not noted", r.core, id)
			}
			if i > 1 && r.from < l.queue[i-1].from {
				return fmt.Sprintf("the queue of line %d is not sorted", id)
			}
		}
		if waiting := l.queued.len(); waiting != len(l.queue) {
			return fmt.Sprintf("%d cores are noted to wait for line %d, and %d wait", waiting, id, len(l.queue))
		}
	}
	for _, p := range e.procs {
		if p.state == asleep && !e.unchanged(p) {
			return fmt.Sprintf("process %d sleeps, and what it polls has changed", p.id)
		}
		if p.state == acting && len(p.buffer) > 0 {
			return fmt.Sprintf("process %d makes an operation before its posted stores", p.id)
		}
	}
	return ""
}

// fuzzed runs random programs and returns the first broken invariant.
// What each process counts with Add must be there in the end.
func fuzzed(t testing.TB, m *Machine, seed uint64, f fault) string {
	e := newTestEngine(t, m, seed)
	e.fault = f
	r := rand.New(rand.NewPCG(seed, 1))
	var words []int32
	for range 3 {
		l := e.AddLine()
		words = append(words, e.AddWord(l, 0), e.AddWord(l, 0))
	}
	counter := words[0]
	total := uint64(0)
	for range m.Processors() {
		left, turns, waits := 60, 0, words[1]
		e.AddProcess(steps(func(got uint64) Access {
			if turns > 0 { // it polls
				if turns--; turns%2 == 1 {
					return Access{Op: Pause}
				}
				return Access{Op: Load, Word: waits}
			}
			if left--; left < 0 {
				return Access{Op: End}
			}
			w := words[1+r.IntN(len(words)-1)]
			switch r.IntN(9) {
			case 0:
				total++
				return Access{Op: Add, Word: counter, Arg: 1}
			case 1:
				return Access{Op: Swap, Word: w, Arg: r.Uint64N(4)}
			case 2:
				return Access{Op: CompareAndSwap, Word: w, Arg: r.Uint64N(4), New: r.Uint64N(4)}
			case 3, 4:
				return Access{Op: StoreRelease, Word: w, Arg: r.Uint64N(4)}
			case 5:
				return Access{Op: Work, Time: Time(r.Int64N(100000))}
			case 6:
				turns, waits = 2*r.IntN(20), w
			}
			return Access{Op: Load, Word: w}
		}), Time(r.Int64N(50000)))
	}
	broken := ""
	events := 0
	err := e.Run(func() bool {
		broken = e.broken()
		events++
		return broken == "" && events < 1e6
	})
	switch {
	case broken != "":
		return broken
	case err != nil:
		return err.Error()
	case e.running > 0:
		return "it does not end"
	case e.Value(counter) != total:
		return fmt.Sprintf("%d additions, and the sum is %d", total, e.Value(counter))
	}
	return ""
}

var topologies = []string{"cores=1,threads=2", "cores=5", "cores=3,threads=2", "sockets=2,cores=2,threads=2", "sockets=2,complexes=2,cores=2"}

func TestInvariants(t *testing.T) {
	for i, topology := range topologies {
		for _, policy := range []string{InOrder, Nearest, Random} {
			m := machine(topology)
			m.Policy, m.OldestChance = policy, 0.1
			if i == len(topologies)-1 {
				m.ReadsLocal = "complexes"
			}
			for seed := range uint64(4) {
				require.Empty(t, fuzzed(t, m, seed, noFault), "%s, %s, seed %d", topology, policy, seed)
			}
		}
	}
}

// TestFaultsAreSeen: each mistake in the protocol breaks an invariant of some run.
func TestFaultsAreSeen(t *testing.T) {
	for f := noFault + 1; f < faults; f++ {
		seen := ""
		for seed := uint64(0); seed < 20 && seen == ""; seed++ {
			seen = fuzzed(t, machine("cores=3,threads=2"), seed, f)
		}
		require.NotEmpty(t, seen, "fault %d", f)
	}
}

// moves counts the transfers of a run.
func moves(e *Engine) *int {
	n := new(int)
	e.Moved = func(Transfer) { *n++ }
	return n
}

// TestPingPong: two processes that hand a word to and fro make two transfers
// each time, a read and a write.
func TestPingPong(t *testing.T) {
	e := newTestEngine(t, machine("cores=2"), 1)
	w := e.AddWord(e.AddLine(), 0)
	n := moves(e)
	const turns = 100
	for me := range uint64(2) {
		left := turns
		loaded := false
		e.AddProcess(steps(func(got uint64) Access {
			if loaded && got == me {
				loaded = false
				left--
				return Access{Op: Store, Word: w, Arg: 1 - me}
			}
			if left == 0 {
				return Access{Op: End}
			}
			loaded = true
			return Access{Op: Load, Word: w}
		}), 0)
	}
	require.NoError(t, e.Run(nil))
	require.InDelta(t, 2*2*turns, *n, 4)
}

// TestOneWord: each addition to one word costs a service, the line's way and the
// operation, a process that and however many make it.
func TestOneWord(t *testing.T) {
	for _, n := range []int{2, 3, 8, 70} {
		m := machine(fmt.Sprintf("cores=%d", n))
		e := newTestEngine(t, m, 1)
		w := e.AddWord(e.AddLine(), 0)
		const each = 50
		for range n {
			left := each
			e.AddProcess(steps(func(uint64) Access {
				if left--; left < 0 {
					return Access{Op: End}
				}
				return Access{Op: Add, Word: w, Arg: 1}
			}), 0)
		}
		require.NoError(t, e.Run(nil))
		service := m.Transfer["cores"] + m.RMW
		require.InEpsilon(t, service*float64(n*each), e.Now().NS(), 0.03, "%d processes", n)
		require.EqualValues(t, n*each, e.Value(w))
	}
}

// TestSiblingsShare: two threads of a core need no transfer.
func TestSiblingsShare(t *testing.T) {
	e := newTestEngine(t, machine("cores=2,threads=2"), 1)
	w := e.AddWord(e.AddLine(), 0)
	n := moves(e)
	for range 2 {
		left := 50
		e.AddProcess(steps(func(uint64) Access {
			if left--; left < 0 {
				return Access{Op: End}
			}
			return Access{Op: Add, Word: w, Arg: 1}
		}), 0)
	}
	require.NoError(t, e.Run(nil))
	require.Equal(t, 1, *n)
}

// TestWork: work takes longer while the sibling works, and only then.
func TestWork(t *testing.T) {
	e := newTestEngine(t, machine("cores=2,threads=2"), 1)
	ends := map[int]float64{}
	e.Marked = func(p int, _ uint64, now Time) { ends[p] = now.NS() }
	for _, work := range []float64{100, 300, 100} {
		at := 0
		e.AddProcess(steps(func(uint64) Access {
			at++
			return []Access{{Op: Work, Time: NS(work)}, {Op: Mark}, {Op: End}}[at-1]
		}), 0)
	}
	require.NoError(t, e.Run(nil))
	// 100 and 300 side by side: 150 ns for the first; of the other 200 are left.
	require.Equal(t, map[int]float64{0: 150, 1: 350, 2: 100}, ends)
}

// mcs and ticket are locks as access programs.
type mcs struct {
	tail         int32
	next, locked []int32
	me, n        int
	cs           Time
	left, pc     int
}

func (q *mcs) Next(got uint64) Access {
	q.pc++
	me := uint64(q.me + 1)
	switch q.pc {
	case 1:
		if q.left--; q.left < 0 {
			return Access{Op: End}
		}
		return Access{Op: StoreRelease, Word: q.next[q.me]}
	case 2:
		return Access{Op: StoreRelease, Word: q.locked[q.me], Arg: 1}
	case 3:
		return Access{Op: Swap, Word: q.tail, Arg: me}
	case 4:
		if got == 0 {
			q.pc = 6
			return Access{Op: Work, Time: q.cs}
		}
		return Access{Op: StoreRelease, Word: q.next[got-1], Arg: me}
	case 5:
		return Access{Op: Load, Word: q.locked[q.me]}
	case 6:
		if got != 0 {
			q.pc--
			return Access{Op: Load, Word: q.locked[q.me]}
		}
		return Access{Op: Work, Time: q.cs}
	case 7:
		return Access{Op: Load, Word: q.next[q.me]}
	}
	if got == 0 {
		q.pc = 7
		return Access{Op: Load, Word: q.next[q.me]}
	}
	q.pc = 0
	return Access{Op: StoreRelease, Word: q.locked[got-1]}
}

// TestMCS: the transfers of a passage do not depend on how many wait.
func TestMCS(t *testing.T) {
	var before float64
	for _, n := range []int{4, 16, 64} {
		e := newTestEngine(t, machine(fmt.Sprintf("cores=%d", n)), 1)
		tail := e.AddWord(e.AddLine(), 0)
		var next, locked []int32
		for range n {
			l := e.AddLine()
			next, locked = append(next, e.AddWord(l, 0)), append(locked, e.AddWord(l, 0))
		}
		moved := moves(e)
		passages := 0
		e.Marked = func(int, uint64, Time) { passages++ }
		for i := range n {
			e.AddProcess(&mcs{tail: tail, next: next, locked: locked, me: i, n: n, cs: NS(500), left: 1 << 20}, NS(float64(i)))
		}
		const measured = 500 * 1000 * 1000 // in ps, some 800 passages
		from, at := 0, Time(measured)
		require.NoError(t, e.Run(func() bool {
			if from == 0 && e.Now() > at/2 {
				from = *moved
			}
			return e.Now() < at
		}))
		per := float64(*moved-from) / (float64(measured) / 2 / 1000)
		if before != 0 {
			require.InEpsilon(t, before, per, 0.02, "transfers a ns with %d processes", n)
		}
		before = per
	}
}

// TestTicket: a waiter more makes a hand-over longer by half the time that its read
// occupies the line, as the next is anywhere among the readers.
func TestTicket(t *testing.T) {
	passage := func(n int) float64 {
		m := machine(fmt.Sprintf("cores=%d", n))
		e := newTestEngine(t, m, 3)
		next, owner := e.AddWord(e.AddLine(), 0), e.AddWord(e.AddLine(), 0)
		const each = 60
		for range n {
			left, pc, mine := each, 0, uint64(0)
			e.AddProcess(steps(func(got uint64) Access {
				pc++
				switch pc {
				case 1:
					if left--; left < 0 {
						return Access{Op: End}
					}
					return Access{Op: Add, Word: next, Arg: 1}
				case 2:
					mine = got - 1
					return Access{Op: Load, Word: owner}
				case 3:
					if got != mine {
						return Access{Op: Pause}
					}
					pc = 5
					return Access{Op: Work, Time: NS(3000)}
				case 4:
					pc = 2
					return Access{Op: Load, Word: owner}
				}
				pc = 0
				return Access{Op: StoreRelease, Word: owner, Arg: mine + 1}
			}), 0)
		}
		require.NoError(t, e.Run(nil))
		return e.Now().NS() / float64(n*each)
	}
	slope := (passage(48) - passage(16)) / 32
	require.InEpsilon(t, machine("cores=2").ReadOccupancy/2, slope, 0.1)
}

// TestSeeds: a seed gives the same run, and another seed another.
func TestSeeds(t *testing.T) {
	run := func(seed uint64) (Time, int64) {
		m := machine("sockets=2,cores=3,threads=2")
		m.Policy = Random
		e := newTestEngine(t, m, seed)
		w := e.AddWord(e.AddLine(), 0)
		for i := range 12 {
			left := 30
			e.AddProcess(steps(func(got uint64) Access {
				if got == 1 {
					left--
					return Access{Op: StoreRelease, Word: w}
				}
				if left == 0 {
					return Access{Op: End}
				}
				return Access{Op: CompareAndSwap, Word: w, New: uint64(i + 1)}
			}), 0)
		}
		require.NoError(t, e.Run(nil))
		return e.Now(), e.Accesses
	}
	at, accesses := run(1)
	again, same := run(1)
	require.Equal(t, at, again)
	require.Equal(t, accesses, same)
	other, _ := run(2)
	require.NotEqual(t, at, other)
}

// TestForEver: processes that all wait for ever are an error, and those that
// poll so many times only are not.
func TestForEver(t *testing.T) {
	e := newTestEngine(t, machine("cores=1"), 1)
	w := e.AddWord(e.AddLine(), 0)
	e.AddProcess(steps(func(uint64) Access { return Access{Op: Load, Word: w} }), 0)
	require.ErrorIs(t, e.Run(nil), ErrStuck)

	e = newTestEngine(t, machine("cores=1"), 1)
	w = e.AddWord(e.AddLine(), 0)
	left := 100
	e.AddProcess(steps(func(uint64) Access {
		if left--; left < 0 {
			return Access{Op: End}
		}
		return Access{Op: Load, Word: w}
	}), 0)
	require.NoError(t, e.Run(nil))
}

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

func BenchmarkEngine(b *testing.B) {
	for _, n := range []int{1, 8, 64} {
		b.Run(fmt.Sprintf("procs=%d", n), func(b *testing.B) {
			m := machine("sockets=2,cores=32")
			m.Policy, m.OldestChance = Nearest, 0.07 // as the presets
			e := newTestEngine(b, m, 1)
			w := e.AddWord(e.AddLine(), 0)
			for range n {
				held := false
				e.AddProcess(steps(func(got uint64) Access {
					if held = !held && got == 0; held {
						return Access{Op: Load, Word: w}
					}
					return Access{Op: Swap, Word: w, Arg: 1}
				}), 0)
			}
			b.ResetTimer()
			_ = e.Run(func() bool { return e.Accesses < int64(b.N) })
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Maccesses/s")
		})
	}
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

// TestNearest: those that wait as near as each other are not served in the order of
// their arrival, and a far one less often than its turn, but all of them at last.
func TestNearest(t *testing.T) {
	served := func(topology, policy string) (order []int, crossings int) {
		m := machine(topology)
		m.Policy, m.OldestChance = policy, 0.1
		e := newTestEngine(t, m, 1)
		w := e.AddWord(e.AddLine(), 0)
		e.Moved = func(tr Transfer) {
			order = append(order, tr.Process)
			if tr.Distance == 0 {
				crossings++
			}
		}
		for range 8 {
			left := 50
			e.AddProcess(steps(func(uint64) Access {
				if left--; left < 0 {
					return Access{Op: End}
				}
				return Access{Op: Add, Word: w, Arg: 1}
			}), 0)
		}
		require.NoError(t, e.Run(nil))
		require.EqualValues(t, 400, e.Value(w))
		return order, crossings
	}
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
