package stress

import (
	"math/rand/v2"
	"slices"

	"shmbench/spin"
)

// A stride is the life of one lock: phases, one after another, between which
// no process is in the lock.
type stride struct {
	seed   uint64 // of the processes' own lots
	phases []phase
}

// A phase is a number of passages by some of the processes.
type phase struct {
	active   []int // the processes that take part, in no order; nobody, now and then
	passages int   // how many each of them makes
	hold     int   // how long a critical section lasts, at most
	rarely   int   // one hold in so many is 50 times as long; 0 for none
	yield    int   // one chance in so many to yield is taken; 0 for none
	stagger  int   // how long a process lingers before its first passage, at most
	policy   spin.Policy
	// threads lets every process be on a running thread, also where there are
	// fewer processors: the operating system, which stops a thread at any
	// instruction, then shares them out, instead of Go's scheduler.
	threads bool
}

// planner draws strides from a seed: the same seed gives the same strides for
// the same number of processes and processors.
type planner struct {
	rng        *rand.Rand
	n          int
	processors int
}

func newPlanner(seed uint64, n, processors int) *planner {
	return &planner{rng: rand.New(rand.NewPCG(seed, uint64(n))), n: n, processors: processors}
}

func (p *planner) stride() stride {
	s := stride{seed: p.rng.Uint64()}
	for range 1 + p.rng.IntN(6) {
		s.phases = append(s.phases, p.phase())
	}
	return s
}

func (p *planner) phase() phase {
	d := p.rng
	ph := phase{
		active:   p.chooseActive(),
		passages: 1 << d.IntN(11), // 1 to 1024
		hold:     []int{1, 20, 200, 2000}[d.IntN(4)],
		rarely:   []int{0, 0, 20, 100}[d.IntN(4)],
		yield:    []int{0, 2, 8, 64}[d.IntN(4)],
		stagger:  []int{0, 0, 50, 1000}[d.IntN(4)],
		policy:   []spin.Policy{spin.PauseYield, spin.Turns, spin.Paused, spin.Yielding, spin.Busy}[d.IntN(5)],
	}
	// A phase with many processes is not longer than one with few.
	ph.passages = max(1, ph.passages*2/max(2, len(ph.active)))
	crowded := len(ph.active) > p.processors
	ph.threads = !crowded || d.IntN(8) == 0
	if crowded {
		// A process that polls without yielding keeps those it waits for from
		// running.
		if ph.policy == spin.Paused || ph.policy == spin.Busy {
			ph.policy = spin.PauseYield
		}
		if ph.threads {
			ph.passages = min(ph.passages, 8)
		}
	}
	return ph
}

// chooseActive draws processes: as many as there are processors half of the time, or
// any number from nobody to everybody.
func (p *planner) chooseActive() []int {
	k := p.rng.IntN(p.n + 1)
	if p.rng.IntN(2) == 0 {
		k = min(p.n, max(2, p.processors))
	}
	active := p.rng.Perm(p.n)[:k]
	slices.Sort(active)
	return active
}
