package predict

import (
	"fmt"
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

// fiftyAdds is a process that adds 1 to a word 50 times.
func fiftyAdds(word int32) steps {
	left := 50
	return func(uint64) Access {
		if left--; left < 0 {
			return Access{Op: End}
		}
		return Access{Op: Add, Word: word, Arg: 1}
	}
}

// TestSiblingsShare: two threads of a core need no transfer.
func TestSiblingsShare(t *testing.T) {
	e := newTestEngine(t, machine("cores=2,threads=2"), 1)
	w := e.AddWord(e.AddLine(), 0)
	n := moves(e)
	for range 2 {
		e.AddProcess(fiftyAdds(w), 0)
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
