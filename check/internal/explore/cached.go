package explore

import (
	"shmbench/check/internal/automaton"
)

// Cached is a system together with the cache of one process: which of the
// registers it holds a copy of. It shows which of its accesses go to memory,
// for coherent caches of two kinds. With write-back a process that has written a
// register last, with nobody reading it since, writes it again for free. With
// write-through every write goes to memory; the copies are the same, but none is
// exclusive.
type Cached struct {
	sc    *SC
	pid   int
	alone bool           // only process pid takes steps
	line  map[int32]uint // by register: its place in the last word
	words int
}

// The states of a copy.
const (
	invalid = iota
	sharedCopy
	exclusive
)

// MostCached is how many registers a Cached can have.
const MostCached = 32

// NewCached returns the system with the cache of process pid, at first empty,
// or nil if it accesses too many registers.
func NewCached(s *SC, pid int, alone bool) *Cached {
	c := &Cached{sc: s, pid: pid, alone: alone, line: map[int32]uint{}, words: s.words + 1}
	for _, l := range s.Model.Procs[pid].Local {
		if _, known := c.line[l.Reg]; l.Reg >= 0 && l.Kind != 0 && !known {
			c.line[l.Reg] = uint(len(c.line)) * 2
		}
	}
	if len(c.line) > MostCached {
		return nil
	}
	return c
}

// Words returns the length of a state: that of the system and the cache.
func (c *Cached) Words() int { return c.words }

// Actors returns the number of processes, times that of outcomes.
func (c *Cached) Actors() int { return c.sc.Actors() }

// Parties returns the number of processes.
func (c *Cached) Parties() int { return c.sc.Parties() }

// Initial is the system's initial state with an empty cache.
func (c *Cached) Initial(s []uint64) {
	clear(s)
	c.sc.Initial(s[:c.words-1])
}

// Expand makes each process's next access.
func (c *Cached) Expand(s, out []uint64) (enabled uint64, bad Bad) {
	enabled, bad = c.sc.expand(s, out, c.words)
	if c.alone {
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
				place, ok := c.line[r.Reg]
				switch {
				case !ok:
				case used>>i&1 == 0:
					to[c.words-1] &^= 3 << place
				case before>>i&1 == 0 && a%c.sc.Parties() == c.pid:
					to[c.words-1] |= exclusive << place
				}
			}
		}
	}
}

// after returns the cache after a step of a process.
func (c *Cached) after(s []uint64, pid int) uint64 {
	cache := s[c.words-1]
	l := c.sc.Local(s, pid)
	place, ok := c.line[l.Reg]
	if !ok || l.Kind == 0 {
		return cache
	}
	copied := cache >> place & 3
	writes := l.Kind&automaton.Writes != 0
	switch {
	case pid == c.pid && writes:
		copied = exclusive
	case pid == c.pid && copied == invalid:
		copied = sharedCopy
	case pid == c.pid:
	case writes:
		copied = invalid
	case copied == exclusive:
		copied = sharedCopy
	}
	return cache&^(3<<place) | copied<<place
}

// Remote reports whether the next access of the process goes to memory, with
// write-back or with write-through.
func (c *Cached) Remote(s []uint64, writeBack bool) bool {
	l := c.sc.Local(s, c.pid)
	place, ok := c.line[l.Reg]
	if !ok || l.Kind == 0 {
		return false
	}
	copied := s[c.words-1] >> place & 3
	if l.Kind&automaton.Writes != 0 {
		return !writeBack || copied != exclusive
	}
	return copied == invalid
}

// Alone returns the system with process pid as the only one that takes steps.
func Alone(s *SC, pid int) System { return only{s, pid} }

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
