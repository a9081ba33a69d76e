package explore

import "shmbench/check/internal/cache"

// Cached is a system together with the cache of one process. It shows which of the
// process's accesses go to memory.
type Cached struct {
	sc          *SC
	pid         int
	uncontended bool        // only process pid takes steps
	lines       cache.Lines // places in the last word
	words       int
}

// NewCached returns the system with the cache of process pid, at first empty,
// or nil if it accesses too many registers.
func NewCached(s *SC, pid int, uncontended bool) *Cached {
	lines := cache.NewLines(s.Model.Procs[pid])
	if lines == nil {
		return nil
	}
	return &Cached{sc: s, pid: pid, uncontended: uncontended, lines: lines, words: s.words + 1}
}

// Words returns the length of a state: that of the system and the cache.
func (c *Cached) Words() int { return c.words }

// Actors returns the number of processes, times that of outcomes.
func (c *Cached) Actors() int { return c.sc.Actors() }

// Parties returns the number of processes.
func (c *Cached) Parties() int { return c.sc.Parties() }

// Initial is the system's initial state with an empty cache.
func (c *Cached) Initial(s []uint64) {
	c.sc.Initial(s)
}

// Expand makes each process's next access.
func (c *Cached) Expand(s, out []uint64) (enabled uint64, bad Bad) {
	enabled, bad = c.sc.expand(s, out, c.words)
	if c.uncontended {
		enabled &= c.sc.actors(c.pid)
	}
	for a := range c.sc.Actors() {
		if enabled>>a&1 != 0 {
			out[(a+1)*c.words-1] = c.after(s, a%c.sc.Parties())
		}
	}
	if c.sc.Model.Heap != nil {
		c.allocate(s, out, enabled)
	}
	return enabled, bad
}

// allocate gives memory that has just been shared to the cache of the process
// that has allocated it, and takes what is not in use any more out of it: when
// its slot is taken again, that is other memory.
func (c *Cached) allocate(s, out []uint64, enabled uint64) {
	before := c.sc.used(s)
	for a := range c.sc.Actors() {
		if enabled>>a&1 == 0 {
			continue
		}
		to := out[a*c.words : (a+1)*c.words]
		used := c.sc.used(to)
		for i, slot := range c.sc.Model.Heap.Slots {
			for _, r := range slot.Regs {
				switch place := c.lines[r.Reg]; {
				case used>>i&1 == 0:
					to[c.words-1] &^= 3 * place
				case before>>i&1 == 0 && a%c.sc.Parties() == c.pid:
					to[c.words-1] |= cache.Exclusive * place
				}
			}
		}
	}
}

// after returns the cache after a step of a process.
func (c *Cached) after(s []uint64, pid int) uint64 {
	access := c.lines.Of(c.sc.Local(s, pid))
	if pid == c.pid {
		return access.Own(s[c.words-1])
	}
	return access.Others(s[c.words-1])
}

// Remote reports whether the next access of the process goes to memory, with
// write-back or with write-through.
func (c *Cached) Remote(s []uint64, writeBack bool) bool {
	through, back := c.lines.Of(c.sc.Local(s, c.pid)).Remote(s[c.words-1])
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
