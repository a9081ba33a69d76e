package explore

import (
	"slices"

	"shmbench/check/internal/cache"
)

// stepping is a system that can write successors which are some words apart.
type stepping interface {
	Party
	expand(from, out []uint64, stride int) (enabled uint64, bad Bad)
}

// Cached is a system together with the caches of some processes. It shows which of their
// accesses go to memory.
type Cached struct {
	stepping    // sc, or sc with crashes
	sc          *SC
	pids        []int
	uncontended bool          // only the one process takes steps
	lines       []cache.Lines // by cache: places in its word, which are the last ones
	words       int
}

// NewCached returns the system with the cache of process pid, at first empty,
// or nil if it accesses too many registers.
func NewCached(s *SC, pid int, uncontended bool) *Cached {
	c := newCached(s, s, pid)
	if c != nil {
		c.uncontended = uncontended
	}
	return c
}

// NewAllCached returns the system with the caches of all processes, at first empty, or nil
// if one accesses too many registers.
func NewAllCached(s *SC) *Cached {
	var pids []int
	for pid := range s.Parties() {
		pids = append(pids, pid)
	}
	return newCached(s, s, pids...)
}

// NewCrashingCached returns a system whose processes crash with the cache of process pid, at
// first empty, or nil if it accesses too many registers. A crash of the process empties its cache.
func NewCrashingCached(c *Crashing, pid int) *Cached { return newCached(c, c.SC, pid) }

func newCached(sys stepping, s *SC, pids ...int) *Cached {
	c := &Cached{stepping: sys, sc: s, pids: pids, words: s.words + len(pids)}
	for _, pid := range pids {
		lines := cache.NewLines(s.Model.Procs[pid])
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
	if c.uncontended {
		enabled &= c.sc.actors(c.pids[0])
	}
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
		if c.stepping.(*Crashing).Hits(s, party, c.pids[i]) {
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
func Only(s *SC, pid int) System { return only{s, pid} }

type only struct {
	*SC
	pid int
}

// Expand makes the process's next access.
func (o only) Expand(s, out []uint64) (enabled uint64, bad Bad) {
	enabled, bad = o.SC.Expand(s, out)
	return enabled & o.actors(o.pid), bad
}

// actors returns those of a process.
func (s *SC) actors(pid int) (set uint64) {
	for a := pid; a < s.Actors(); a += s.Parties() {
		set |= 1 << a
	}
	return set
}
