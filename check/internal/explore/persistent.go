package explore

import (
	"context"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sync"

	"shmbench/check/internal/automaton"
	"shmbench/check/internal/interp"
	"shmbench/check/internal/symmetry"
)

// Persistent is a system with fewer steps: in some states only some processes make theirs. They are a
// persistent set (Godefroid, "Partial-Order Methods for the Verification of Concurrent Systems", 1996): whatever the
// others do before one of them makes its step, that step and theirs can change places. The faults of
// states are those of all steps. Other states, and the lengths of paths, are not. The steps show whether the model has every value that occurs.
//
// With ForDeadlocks, there is a deadlock if there is one with all steps. Each set has a process that must go on, whose step changes the
// state, and each cycle of such steps has a state with all steps. So each fair execution has one among these steps in which
// every process makes the same steps (Peled, "Combining Partial Order Reductions with On-the-Fly Model-Checking", 1996).
type Persistent struct {
	*SC
	made    Steps
	kept    [][][]bool // by process, local state and value: the step is made with those of all processes
	scratch sync.Pool  // of *futures
	// independent, in tests, takes accesses to a register for independent.
	independent []bool
}

// NewPersistent returns a system with fewer steps, or the system itself if there is no such reduction for it, because
// processes share what they have allocated. A quotient up to the group may take its steps from there.
func NewPersistent(sc *SC, group []symmetry.Renaming, made Steps) System {
	if sc.Model.Heap != nil {
		return sc
	}
	p := &Persistent{SC: sc, made: made, kept: keptSteps(sc, group), independent: make([]bool, len(sc.Regs))}
	p.scratch.New = func() any { return newFutures(p) }
	return p
}

// Digest is that of the model, and says which steps are missing.
func (p *Persistent) Digest() string {
	return fmt.Sprintf("%s with persistent sets %d", p.SC.Digest(), p.made)
}

// Expand makes the next access of some processes: of the fewest that are found to be enough.
func (p *Persistent) Expand(s, out []uint64) (enabled uint64, bad Bad) {
	enabled, bad = p.SC.Expand(s, out)
	if all := p.Movable(s); bad&Missing == 0 && bits.OnesCount64(all) > 1 {
		f := p.scratch.Get().(*futures)
		enabled &= p.actors(p.enough(f, s, p.mayMove(s, out, enabled), all))
		p.scratch.Put(f)
	}
	return enabled, bad
}

// actors returns the actors of some processes.
func (p *Persistent) actors(pids uint64) (all uint64) {
	for a := 0; a < p.SC.Actors(); a += p.Model.N {
		all |= pids << a
	}
	return all
}

// enough returns the processes that make their steps: of all, or of those that have a set with one of some.
func (p *Persistent) enough(f *futures, s []uint64, some, all uint64) uint64 {
	if p.made == ForFaults {
		return p.fewest(f, s, some, all)
	}
	// A process may stay in its remainder section forever. If it does not, and its step is a set by itself, that step comes
	// first. If it does, no step of the others depends on what it would do.
	remainder := p.remainder(s)
	alone := uint64(0)
	for rest := some & remainder; rest != 0; rest &= rest - 1 {
		if one := rest & -rest; p.close(f, s, one) == one {
			alone |= one
		}
	}
	f.away = alone
	fewest := p.fewest(f, s, some&^remainder, all)
	f.away = 0
	return fewest | alone
}

// mayMove returns the processes whose next steps need not be made with those of all others, and change the state: one that
// changes nothing would be made forever.
func (p *Persistent) mayMove(s, out []uint64, enabled uint64) (pids uint64) {
	for pid := range p.Procs {
		if p.Local(s, pid).Reg >= 0 && !p.keeps(s, pid) {
			pids |= 1 << pid
		}
	}
	for ; enabled != 0; enabled &= enabled - 1 {
		if a := bits.TrailingZeros64(enabled); slices.Equal(out[a*p.words:][:p.words], s) {
			pids &^= 1 << (a % p.Model.N)
		}
	}
	return pids
}

// remainder returns the processes that are in their remainder sections.
func (p *Persistent) remainder(s []uint64) (pids uint64) {
	for pid := range p.Procs {
		if p.Local(s, pid).Section == interp.Remainder {
			pids |= 1 << pid
		}
	}
	return pids
}

// fewest returns the smallest persistent set that is found with one of some processes, or all.
func (p *Persistent) fewest(f *futures, s []uint64, some, all uint64) uint64 {
	fewest := all
	for ; some != 0 && fewest&(fewest-1) != 0; some &= some - 1 {
		if set := p.close(f, s, some&-some); set != 0 && bits.OnesCount64(set&all) < bits.OnesCount64(fewest) {
			fewest = set & all
		}
	}
	return fewest
}

// keeps reports whether the next step of a process must be made with those of all others.
func (p *Persistent) keeps(s []uint64, pid int) bool {
	of := p.kept[pid][p.Procs[pid].Of(s)]
	l := p.Local(s, pid)
	return l.Reg < 0 || l.Decides && slices.Contains(of, true) || of[p.Regs[l.Reg].Of(s)]
}

// close adds processes to a set until no step of another one, at any time before the set makes a step, depends on
// the next steps of the set. It returns 0 if a step of the set must be made with all.
func (p *Persistent) close(f *futures, s []uint64, set uint64) uint64 {
	for {
		more, ok := f.dependent(s, set)
		switch {
		case !ok || more != 0 && p.anyKept(s, more):
			return 0
		case more == 0:
			return set
		}
		set |= more
	}
}

func (p *Persistent) anyKept(s []uint64, set uint64) bool {
	for ; set != 0; set &= set - 1 {
		pid := bits.TrailingZeros64(set)
		if p.Local(s, pid).Reg >= 0 && p.keeps(s, pid) {
			return true
		}
	}
	return false
}

// Pays reports whether enough steps are left out, in as many states of random executions, for the time that it takes to find
// them. The states near the initial one are not like the others: there most processes are in their remainder sections.
func (p *Persistent) Pays(ctx context.Context) bool {
	rnd := rand.New(rand.NewPCG(1, 1))
	s, out := make([]uint64, p.words), make([]uint64, p.words*p.Actors())
	fewer := 0
	for range trials {
		p.Initial(s)
		for range trialSteps {
			enabled, _ := p.Expand(s, out)
			if enabled == 0 || ctx.Err() != nil {
				break
			}
			if all := p.Movable(s); enabled&all != all {
				fewer++
			}
			for skip := rnd.IntN(bits.OnesCount64(enabled)); skip > 0; skip-- {
				enabled &= enabled - 1
			}
			copy(s, out[bits.TrailingZeros64(enabled)*p.words:])
		}
	}
	return fewer*leastPart >= trials*trialSteps
}

const (
	trials     = 64
	trialSteps = 128
	leastPart  = 3 // of the states there must be fewer steps, as a divisor
)

// Movable returns the processes that can make a step, left out or not.
func (p *Persistent) Movable(s []uint64) (pids uint64) {
	for pid := range p.Procs {
		if p.Local(s, pid).Reg >= 0 {
			pids |= 1 << pid
		}
	}
	return pids
}

// place is a process in a local state.
type place struct{ pid, state int32 }

// futures finds where processes can come to, and which values registers can have, while some processes
// stand still. It joins all executions: any process may be in any of its states with any of the values.
type futures struct {
	p       *Persistent
	round   uint32
	reached [][]uint32 // by process and local state: the last round in which it was reached
	holds   [][]uint32 // by register and value
	values  [][]int32  // by register: the values of this round
	users   [][]place  // by register: the places of this round that access it
	work    []place
	touched []int32
	still   []byte // by register: how the set accesses it next
	away    uint64 // processes that make no step any more
}

// How the processes of the set access a register next.
const (
	reads  = 1
	writes = 2
)

// mostPlaces bounds the work for one set.
const mostPlaces = 1 << 10

func newFutures(p *Persistent) *futures {
	f := &futures{p: p, still: make([]byte, len(p.Regs))}
	for _, proc := range p.Model.Procs {
		f.reached = append(f.reached, make([]uint32, len(proc.Local)))
	}
	for _, r := range p.Model.Regs {
		f.holds = append(f.holds, make([]uint32, len(r.Values)))
	}
	f.values, f.users = make([][]int32, len(p.Regs)), make([][]place, len(p.Regs))
	return f
}

// dependent returns a process outside of the set whose steps may depend on the next ones of the set, or no process if there
// is none. It is not ok if that would take too long.
func (f *futures) dependent(s []uint64, set uint64) (more uint64, ok bool) {
	f.begin(s, set)
	for pid := range f.p.Procs {
		if (set|f.away)>>pid&1 == 0 {
			f.reach(place{int32(pid), f.p.Procs[pid].Of(s)})
		}
	}
	for places := 0; len(f.work) > 0; places++ {
		at := f.work[len(f.work)-1]
		f.work = f.work[:len(f.work)-1]
		l := &f.p.Model.Procs[at.pid].Local[at.state]
		if l.Reg < 0 || int(l.Reg) >= len(f.p.Regs) {
			continue
		}
		if places > mostPlaces {
			return 0, false
		}
		if l.Decides {
			f.decide(at, l)
			continue
		}
		f.value(l.Reg, f.p.Regs[l.Reg].Of(s))
		f.users[l.Reg] = append(f.users[l.Reg], at)
		for k := 0; k < len(f.values[l.Reg]); k++ {
			if f.step(at, l, f.values[l.Reg][k]) {
				return 1 << at.pid, true
			}
		}
	}
	return 0, true
}

// begin forgets the last round, and notes what the set does next.
func (f *futures) begin(s []uint64, set uint64) {
	for _, r := range f.touched {
		f.values[r], f.users[r] = f.values[r][:0], f.users[r][:0]
	}
	f.round, f.work, f.touched = f.round+1, f.work[:0], f.touched[:0]
	clear(f.still)
	for pid := range f.p.Procs {
		l := f.p.Local(s, pid)
		if set>>pid&1 == 0 || l.Reg < 0 || l.Decides || f.p.independent[l.Reg] {
			continue
		}
		v := f.p.Regs[l.Reg].Of(s)
		f.still[l.Reg] |= reads
		if l.Moves[v].Value != v {
			f.still[l.Reg] |= writes
		}
	}
}

func (f *futures) reach(at place) {
	if f.reached[at.pid][at.state] != f.round {
		f.reached[at.pid][at.state] = f.round
		f.work = append(f.work, at)
	}
}

// value notes that a register can have a value. All that access it may find it.
func (f *futures) value(r, v int32) {
	if f.holds[r][v] == f.round {
		return
	}
	f.holds[r][v] = f.round
	if len(f.values[r]) == 0 {
		f.touched = append(f.touched, r)
	}
	f.values[r] = append(f.values[r], v)
	f.work = append(f.work, f.users[r]...)
	f.users[r] = f.users[r][:0]
}

// decide takes all steps of a process that decides how to go on.
func (f *futures) decide(at place, l *automaton.Local) {
	for _, m := range l.Moves {
		if m.State >= 0 {
			f.reach(place{at.pid, m.State})
		}
	}
}

// step takes a step of a process outside of the set, and reports whether it depends on a next step of the set.
func (f *futures) step(at place, l *automaton.Local, v int32) (conflict bool) {
	m, still := l.Moves[v], f.still[l.Reg]
	unknown := m.State < 0 || m.Value < 0 // no execution has this value here, or the model must have more values
	switch {
	case still&writes != 0 || still != 0 && m.Value != v && !unknown:
		return true
	case unknown:
		return false
	}
	f.reach(place{at.pid, m.State})
	f.value(l.Reg, m.Value)
	return false
}
