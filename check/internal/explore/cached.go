package explore

import (
	"slices"

	"shmbench/check/internal/cache"
)

// Cached is a system together with the caches of some processes. It shows which of their
// accesses go to memory.
type Cached struct {
	sc          *SC
	pids        []int
	uncontended bool          // only the one process takes steps
	lines       []cache.Lines // by cache: places in its word, which are the last ones
	words       int
}

// NewCached returns the system with the cache of process pid, at first empty,
// or nil if it accesses too many registers.
func NewCached(s *SC, pid int, uncontended bool) *Cached {
	c := newCached(s, pid)
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
	return newCached(s, pids...)
}

func newCached(s *SC, pids ...int) *Cached {
	c := &Cached{sc: s, pids: pids, words: s.words + len(pids)}
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

// Actors returns the number of processes, times that of outcomes.
func (c *Cached) Actors() int { return c.sc.Actors() }

// Parties returns the number of processes.
func (c *Cached) Parties() int { return c.sc.Parties() }

// Initial is the system's initial state with empty caches.
func (c *Cached) Initial(s []uint64) {
	c.sc.Initial(s)
}

// Expand makes each process's next access.
func (c *Cached) Expand(s, out []uint64) (enabled uint64, bad Bad) {
	enabled, bad = c.sc.expand(s, out, c.words)
	if c.uncontended {
		enabled &= c.sc.actors(c.pids[0])
	}
	for a := range c.sc.Actors() {
		if enabled>>a&1 != 0 {
			for i := range c.pids {
				out[a*c.words+c.sc.words+i] = c.after(s, i, a%c.sc.Parties())
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
					switch place := c.lines[k][r.Reg]; {
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

// after returns a cache after a step of a process.
func (c *Cached) after(s []uint64, i, pid int) uint64 {
	access, copied := c.lines[i].Of(c.sc.Local(s, pid)), s[c.sc.words+i]
	if pid == c.pids[i] {
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
