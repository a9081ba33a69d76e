// Package analyse decides liveness, fairness and order on the graph of all
// states that a lock can reach.
package analyse

import (
	"math/bits"
	"sync"

	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
	"shmbench/shm"
)

// Space is a graph of states with what each process is doing in each of them.
// Parties 0 to N-1 are the processes; any others are parts of the machine. Each
// has an actor of its number, and where a step may have several outcomes, further
// ones, whose numbers are the same modulo Parties.
type Space struct {
	G       *explore.Graph
	N       int
	Parties int
	workers int
	procs   []explore.Field
	modes   [][]Passage // by process and local state, nil if all passages are exclusive
	// sections has two bits a process, four processes a byte, stride bytes a
	// state.
	sections []uint8
	stride   int
	look     func() *look
	orders   []func() *order                    // by process, found when it is needed
	beyond   func(state []uint64, pid int) bool // nil if every process can be modeled
	lasting  [][]bool                           // by process and local state, nil if nothing is known
	movable  func(state []uint64) uint64        // the parties that have a step; nil if no steps are left out
}

// New returns the space of a graph that was explored with its edges kept, for
// as many workers. procs is where the local states of the processes are in a
// state, and sections the section of each of them by local state.
func New(g *explore.Graph, workers int, procs []explore.Field, sections [][]interp.Section) *Space {
	n := len(procs)
	s := &Space{G: g, N: n, Parties: parties(g.Sys), workers: max(workers, 1), procs: procs, stride: (n + 3) / 4}
	if p, fewer := g.Sys.(*explore.Persistent); fewer {
		s.movable = p.Movable
	}
	s.sections = make([]uint8, g.States*s.stride)
	s.descend(func(_ int, lo, hi, _ uint32) {
		for id := lo; id < hi; id++ {
			state := g.State(id)
			for p, f := range procs {
				s.sections[int(id)*s.stride+p/4] |= uint8(sections[p][f.Of(state)]) << (p % 4 * 2)
			}
		}
	})
	s.look = sync.OnceValue(func() *look { return s.lookAtAll(sections) })
	for pid := range n {
		s.orders = append(s.orders, sync.OnceValue(func() *order { return s.order(pid) }))
	}
	return s
}

// parties returns how many parties a system has.
func parties(sys explore.System) int {
	if p, ok := sys.(explore.Party); ok {
		return p.Parties()
	}
	return sys.Actors()
}

// Beyond notes where processes are about to take steps that are not known. An execution that
// stays there forever cannot be judged. Beyond must be called before anything is asked.
func (s *Space) Beyond(beyond func(state []uint64, pid int) bool) { s.beyond = beyond }

// Lasting notes the local states of each process that a fair execution without an entry can visit again and again. It must
// be called before anything is asked.
func (s *Space) Lasting(lasting [][]bool) { s.lasting = lasting }

// lasts reports whether a fair execution without an entry can visit a state again and again, as far as local states show.
func (s *Space) lasts(id uint32) bool {
	for pid, lasting := range s.lasting {
		if !lasting[s.local(id, pid)] {
			return false
		}
	}
	return true
}

// Passage is what passage a process makes in a local state: its mode, and whether
// it is to give up.
type Passage struct {
	Mode   shm.Mode
	GaveUp bool
}

// Modes notes which passages the processes make in their local states, where they
// are made in other modes than Exclusive. It must be called before anything is
// asked.
func (s *Space) Modes(modes [][]Passage) { s.modes = modes }

// passage returns which passage a process makes in a state.
func (s *Space) passage(id uint32, pid int) Passage {
	if s.modes == nil {
		return Passage{}
	}
	return s.modes[pid][s.local(id, pid)]
}

// making returns the processes of a set that make a passage in a state for which such
// holds.
func (s *Space) making(id uint32, procs procset, such func(Passage) bool) (set procset) {
	for ; procs != 0; procs &= procs - 1 {
		if pid := bits.TrailingZeros16(uint16(procs)); such(s.passage(id, pid)) {
			set |= 1 << pid
		}
	}
	return set
}

// obliged reports whether the call by which a passage begins may not fail: the
// process eventually enters.
func obliged(p Passage) bool { return !p.Mode.MayFail() }

// waiting returns the processes that are in their entry sections and enter some
// time, if all is well.
func (s *Space) waiting(id uint32) procset {
	in := s.in(interp.Entry, id)
	if s.modes == nil {
		return in
	}
	return s.making(id, in, obliged)
}

// Section returns the section of a process in a state.
func (s *Space) Section(id uint32, pid int) interp.Section {
	return interp.Section(s.sections[int(id)*s.stride+pid/4] >> (pid % 4 * 2) & 3)
}

// procset is a set of at most mostProcs processes.
type procset uint16

const mostProcs = 16

func (p procset) has(pid int) bool { return p>>pid&1 != 0 }

// all is the set of all processes.
func (s *Space) all() procset { return 1<<s.N - 1 }

// inSection tells, by section and a byte of Space.sections, which of the four
// processes of the byte are in the section.
var inSection = func() (in [4][256]uint8) {
	for b := range 256 {
		for p := range 4 {
			in[b>>(p*2)&3][b] |= 1 << p
		}
	}
	return in
}()

// in returns the processes that are in a section in a state.
func (s *Space) in(section interp.Section, id uint32) (set procset) {
	table := &inSection[section]
	if s.stride == 1 {
		return procset(table[s.sections[id]]) & s.all()
	}
	for i, b := range s.sections[int(id)*s.stride:][:s.stride] {
		set |= procset(table[b]) << (i * 4)
	}
	return set & s.all()
}

// busy returns the processes that are not in their remainder sections.
func (s *Space) busy(id uint32) procset { return s.all() &^ s.in(interp.Remainder, id) }

// local returns the local state of a process in a state.
func (s *Space) local(id uint32, pid int) int32 { return s.procs[pid].Of(s.G.State(id)) }

// party returns whose step an actor makes.
func (s *Space) party(actor int) int {
	if actor < s.Parties {
		return actor
	}
	return actor % s.Parties
}

// enters reports whether the step by an actor begins a critical section.
func (s *Space) enters(from uint32, actor int, to uint32) bool {
	p := s.party(actor)
	return p < s.N && s.Section(from, p) != interp.Critical && s.Section(to, p) == interp.Critical
}

// steps reports whether a party has a step from a state, one that may holds for.
func (s *Space) steps(id uint32, party int, may func(actor int, to uint32) bool) bool {
	succ := s.G.Successors(id)
	for a := party; a < len(succ); a += s.Parties {
		if succ[a] != explore.None && may(a, succ[a]) {
			return true
		}
	}
	return false
}

// excused reports whether a party may stay as it is forever: it is in its
// remainder section, or has no step to make.
func (s *Space) excused(id uint32, party int) bool {
	if s.beyond != nil && party < s.N && s.beyond(s.G.State(id), party) {
		return false
	}
	if s.movable != nil && s.movable(s.G.State(id))>>party&1 != 0 {
		return party < s.N && s.Section(id, party) == interp.Remainder
	}
	return party < s.N && s.Section(id, party) == interp.Remainder ||
		!s.steps(id, party, func(int, uint32) bool { return true })
}

// fair reports whether a weakly fair execution can stay in a strongly
// connected component forever: every party takes a step in it or is excused.
func (s *Space) fair(g Part, comp []uint32, member func(uint32) bool) bool {
	for p := range s.Parties {
		moves := false
		for _, id := range comp {
			if s.excused(id, p) || s.steps(id, p, func(a int, to uint32) bool { return g.Has(id, a, to) && member(to) }) {
				moves = true
				break
			}
		}
		if !moves {
			return false
		}
	}
	return true
}

// A Lasso is an execution that ends in a cycle: the states of a strongly
// connected component in which it can stay forever.
type Lasso struct {
	sub Part
	// unfair: of the processes only own need make steps in the cycle.
	unfair bool
	own    int
	want   func(id uint32) bool // what holds in some state of the cycle, or nil
	states []uint32
	least  uint32
	// prefix is an execution to the state least, nil for a shortest one.
	prefix func() []int
}
