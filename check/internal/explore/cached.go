package explore

import (
	"slices"

	"shmbench/check/internal/cache"
)

// Stepping is a system of automata that can write successors which are some words apart: an SC, a
// Crashing, or an SC in which Only one process takes steps.
type Stepping interface {
	Party
	expand(from, out []uint64, stride int) (enabled uint64, bad Bad)
	automata() *SC
}

func (s *SC) automata() *SC { return s }

// Cached is a system together with the caches of some processes. It shows which of their
// accesses go to memory.
type Cached struct {
	Stepping
	sc    *SC
	pids  []int
	lines []cache.Lines // by cache: places in its word, which are the last ones
	words int
}

// NewCached returns the system with the caches of some processes, at first empty, or nil if one
// accesses too many registers. A crash of a process empties its cache.
func NewCached(sys Stepping, pids ...int) *Cached {
	sc := sys.automata()
	c := &Cached{Stepping: sys, sc: sc, pids: pids, words: sc.words + len(pids)}
	for _, pid := range pids {
		lines := cache.NewLines(sc.Model.Procs[pid])
		if lines == nil {
			return nil
		}
		c.lines = append(c.lines, lines)
	}
	return c
}

// Words returns the length of a state: that of the system and the caches.
func (c *Cached) Words() int { return c.words }

// Expand makes each actor's next step. The caches are empty in the initial state.
func (c *Cached) Expand(s, out []uint64) (enabled uint64, bad Bad) {
	enabled, bad = c.expand(s, out, c.words)
	parties := c.Parties()
	for a := range c.Actors() {
		if enabled>>a&1 != 0 {
			for i := range c.pids {
				out[a*c.words+c.sc.words+i] = c.after(s, i, a%parties)
			}
		}
	}
	if c.sc.Model.Heap != nil {
		c.allocate(s, out, enabled)
	}
	return enabled, bad
}

// allocate gives memory that has just been shared to the cache of the process
// that has allocated it, and takes what is not in use any more out of all caches: when
// its slot is taken again, that is other memory.
func (c *Cached) allocate(s, out []uint64, enabled uint64) {
	before := c.sc.used(s)
	for a := range c.sc.Actors() {
		if enabled>>a&1 == 0 {
			continue
		}
		to := out[a*c.words : (a+1)*c.words]
		used := c.sc.used(to)
		for k, pid := range c.pids {
			copied := &to[c.sc.words+k]
			for i, slot := range c.sc.Model.Heap.Slots {
				for _, r := range slot.Regs {
					switch place := c.lines[k].At(r.Reg); {
					case used>>i&1 == 0:
						*copied &^= 3 * place
					case before>>i&1 == 0 && a%c.sc.Parties() == pid:
						*copied |= cache.Exclusive * place
					}
				}
			}
		}
	}
}

// after returns a cache after a step of a party.
func (c *Cached) after(s []uint64, i, party int) uint64 {
	copied := s[c.sc.words+i]
	if party >= c.sc.Model.N {
		if c.Stepping.(*Crashing).Hits(s, party, c.pids[i]) {
			return 0
		}
		return copied
	}
	access := c.lines[i].Of(c.sc.Local(s, party))
	if party == c.pids[i] {
		return access.Own(copied)
	}
	return access.Others(copied)
}

// Remote reports whether the next access of a process that has a cache goes to memory, with
// write-back or with write-through.
func (c *Cached) Remote(s []uint64, pid int, writeBack bool) bool {
	i := slices.Index(c.pids, pid)
	through, back := c.lines[i].Of(c.sc.Local(s, pid)).Remote(s[c.sc.words+i])
	if writeBack {
		return back
	}
	return through
}

// Only returns the system with process pid as the only one that takes steps.
func Only(s *SC, pid int) Stepping { return only{s, pid} }

type only struct {
	*SC
	pid int
}

// Expand makes the process's next access.
func (o only) Expand(s, out []uint64) (enabled uint64, bad Bad) { return o.expand(s, out, o.words) }

func (o only) expand(s, out []uint64, stride int) (enabled uint64, bad Bad) {
	own := uint64(0)
	for a := o.pid; a < o.Actors(); a += o.Parties() {
		own |= 1 << a
	}
	enabled, bad = o.SC.expand(s, out, stride)
	return enabled & own, bad
}
