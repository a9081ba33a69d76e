package predict

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

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
		for _, policy := range []string{InOrder, Nearest, ByGroup, Random} {
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
