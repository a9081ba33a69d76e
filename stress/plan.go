package stress

import (
	"math/rand/v2"
	"slices"

	"shmbench/internal/machine/race"
	"shmbench/shm/spin"
)

// A stride is the life of one lock: phases, one after another, between which
// no process is in the lock.
type stride struct {
	n      int    // the lock's processes
	seed   uint64 // of the processes' own lots
	phases []phase
}

// A phase is a number of passages by some of the processes.
type phase struct {
	world    world
	active   []int // the processes that take part, in no order; no process, now and then
	passages int   // how many each of them makes; 0 for any number
	goal     int   // how many passages that are seen to be contended end the phase; 0 for no such end
	hold     int   // how long a critical section lasts, at most
	rarely   int   // one hold in so many is 50 times as long; 0 for none
	nap      int   // one hold in so many sleeps for some milliseconds; 0 for none
	yield    int   // one chance in so many to yield is taken; 0 for none
	stagger  int   // how long a process lingers before its first passage, at most
	policy   spin.Policy
	mixed    int  // of so many passages one is exclusive, and the others in the lock's other modes; 0 if all are exclusive
	kept     bool // each process draws its mode once
}

// world is what the processes of a phase run on.
type world uint8

const (
	// onProcessors: threads, to which Go shares out the machine's processors.
	onProcessors world = iota
	// onThreads: every process on a running thread, also where there are fewer
	// processors: the operating system, which stops a thread at any
	// instruction, shares them out.
	onThreads
	// interrupted: goroutines that share one processor and are stopped every few
	// microseconds, at any instruction, for another to go on.
	interrupted
	// unfair: goroutines that share one processor and let others run only from
	// inside their critical sections. A process that has to find the lock free by
	// luck never does, while it takes as many steps as it likes.
	unfair
)

// planner draws strides from a seed: the same seed gives the same strides for
// the same numbers of processes and processors.
type planner struct {
	rng        *rand.Rand
	procs      []int // the numbers of processes to draw from
	processors int
	starvation bool // the lock claims that no process starves
	several    bool // the lock has several modes of passage
	mixed      bool // it claims that no process starves whatever modes the others choose
	strides    int  // drawn so far
}

func newPlanner(seed uint64, procs []int, processors int, starvation bool) *planner {
	return &planner{rng: rand.New(rand.NewPCG(seed, 0)), procs: procs, processors: processors, starvation: starvation}
}

// A lock now and then lives for longer than a 16-bit counter lasts, of all its
// passages and of each process's: the long stride is the second, and from there
// on every sixteenth.
const (
	longEvery, firstLong = 16, 1
	longPassages         = 1<<16 + 1<<11
)

// A run begins with a phase that lasts until contendedPassages have been seen to
// be contended. One passage in contendedSample is timed to see whether it is. The
// others read no clock, which would keep a process from coming back to the lock
// as soon as it has left it.
const (
	contendedPassages = 500
	contendedSample   = 4
)

func (p *planner) stride() stride {
	s := stride{n: p.procs[p.rng.IntN(len(p.procs))], seed: p.rng.Uint64()}
	if p.strides == 0 && s.n > 1 {
		active := p.rng.Perm(s.n)[:min(s.n, max(2, p.processors))]
		goal := contendedPassages
		if race.Enabled { // it reports a data race also where processes do not contend
			goal /= 5
		}
		s.phases = append(s.phases, phase{world: onThreads, active: active, hold: 100, goal: goal})
	}
	if p.strides%longEvery == firstLong {
		long := phase{active: p.rng.Perm(s.n)[:min(s.n, max(2, p.processors))], passages: longPassages, hold: 1}
		if len(long.active) <= p.processors {
			long.world = onThreads
		}
		long.mixed = p.mix()
		s.phases = append(s.phases, long)
	}
	p.strides++
	for range 1 + p.rng.IntN(3) {
		s.phases = append(s.phases, p.phase(s.n))
	}
	if p.starvation && s.n > 1 {
		s.phases = append(s.phases, phase{world: unfair, active: p.rng.Perm(s.n), yield: 1, policy: spin.Yielding})
	}
	if p.mixed && s.n > 1 {
		s.phases = append(s.phases, phase{world: unfair, active: p.rng.Perm(s.n), yield: 1, policy: spin.Yielding, mixed: 2, kept: true})
	}
	return s
}

// mix draws how passages of several modes are mixed.
func (p *planner) mix() int {
	if !p.several {
		return 0
	}
	return []int{0, 2, 2, 8}[p.rng.IntN(4)]
}

func (p *planner) phase(n int) phase {
	d := p.rng
	ph := phase{
		active:   p.chooseActive(n),
		passages: 1 << d.IntN(10), // 1 to 512
		hold:     []int{1, 20, 200, 2000}[d.IntN(4)],
		rarely:   []int{0, 0, 20, 100}[d.IntN(4)],
		nap:      []int{0, 0, 0, 0, 10, 100}[d.IntN(6)],
		yield:    []int{0, 2, 8, 64}[d.IntN(4)],
		stagger:  []int{0, 0, 50, 1000}[d.IntN(4)],
		policy:   []spin.Policy{spin.PauseYield, spin.Turns, spin.Paused, spin.Yielding, spin.Busy}[d.IntN(5)],
		mixed:    p.mix(),
		kept:     p.several && d.IntN(3) == 0,
	}
	// A phase with many processes is not longer than one with few.
	ph.passages = max(1, ph.passages*2/max(2, len(ph.active)))
	crowded := len(ph.active) > p.processors
	switch lot := d.IntN(24); {
	case lot < 8:
		ph.world = interrupted
	case !crowded || lot < 10:
		ph.world = onThreads
	}
	// A process that polls without yielding keeps those it waits for from
	// running, unless it is interrupted.
	if crowded && ph.world != interrupted && (ph.policy == spin.Paused || ph.policy == spin.Busy) {
		ph.policy = spin.PauseYield
	}
	if crowded && ph.world == onThreads {
		ph.passages = min(ph.passages, 8)
	}
	return ph
}

// chooseActive draws processes: as many as there are processors half of the time, or
// any number from none to all.
func (p *planner) chooseActive(n int) []int {
	k := p.rng.IntN(n + 1)
	if p.rng.IntN(2) == 0 {
		k = min(n, max(2, p.processors))
	}
	active := p.rng.Perm(n)[:k]
	slices.Sort(active)
	return active
}
