package explore

import (
	"shmbench/check/internal/automaton"
)

// Cached is a system together with the cache of one process: which of the
// registers it holds a copy of. It shows which of its accesses go to memory.
type Cached struct {
	sc        *SC
	pid       int
	writeBack bool
	alone     bool           // only process pid takes steps
	line      map[int32]uint // by register: its place in the last word
	words     int
}

// The states of a copy. Exclusive occurs with write-back only.
const (
	invalid = iota
	sharedCopy
	exclusive
)

// MostCached is how many registers a Cached can have.
const MostCached = 32

// NewCached returns the system with the cache of process pid, at first empty,
// or nil if it accesses too many registers. With writeBack a process that has
// written a register last, with nobody reading it since, writes it again for
// free; without it every write goes to memory.
func NewCached(s *SC, pid int, writeBack, alone bool) *Cached {
	c := &Cached{sc: s, pid: pid, writeBack: writeBack, alone: alone, line: map[int32]uint{}, words: s.words + 1}
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

// Actors returns the number of processes.
func (c *Cached) Actors() int { return c.sc.Actors() }

// Initial is the system's initial state with an empty cache.
func (c *Cached) Initial(s []uint64) {
	clear(s)
	c.sc.Initial(s[:c.words-1])
}

// Expand makes each process's next access.
func (c *Cached) Expand(s, out []uint64) (enabled uint64, bad Bad) {
	inner := make([]uint64, c.sc.Actors()*c.sc.words)
	enabled, bad = c.sc.Expand(s[:c.words-1], inner)
	if c.alone {
		enabled &= 1 << c.pid
	}
	for a := range c.sc.Actors() {
		if enabled>>a&1 == 0 {
			continue
		}
		to := out[a*c.words : (a+1)*c.words]
		copy(to, inner[a*c.sc.words:(a+1)*c.sc.words])
		to[c.words-1] = c.after(s, a)
	}
	return enabled, bad
}

// after returns the cache after a step by an actor.
func (c *Cached) after(s []uint64, actor int) uint64 {
	cache := s[c.words-1]
	l := c.sc.Local(s, actor)
	place, ok := c.line[l.Reg]
	if !ok || l.Kind == 0 {
		return cache
	}
	copied := cache >> place & 3
	writes := l.Kind&automaton.Writes != 0
	switch {
	case actor == c.pid && writes && c.writeBack:
		copied = exclusive
	case actor == c.pid && (writes || copied == invalid):
		copied = sharedCopy
	case actor == c.pid:
	case writes:
		copied = invalid
	case copied == exclusive:
		copied = sharedCopy
	}
	return cache&^(3<<place) | copied<<place
}

// Remote reports whether the next access of the process goes to memory.
func (c *Cached) Remote(s []uint64) bool {
	l := c.sc.Local(s, c.pid)
	place, ok := c.line[l.Reg]
	if !ok || l.Kind == 0 {
		return false
	}
	copied := s[c.words-1] >> place & 3
	if l.Kind&automaton.Writes != 0 {
		return !c.writeBack || copied != exclusive
	}
	return copied == invalid
}

// Alone returns the system as it is, or, with alone, with process pid as the
// only one that takes steps.
func Alone(s *SC, pid int, alone bool) System {
	if !alone {
		return s
	}
	return only{s, pid}
}

type only struct {
	*SC
	pid int
}

func (o only) Expand(s, out []uint64) (enabled uint64, bad Bad) {
	enabled, bad = o.SC.Expand(s, out)
	return enabled & (1 << o.pid), bad
}
