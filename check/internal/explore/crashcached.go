package explore

import (
	"shmbench/check/internal/cache"
	"shmbench/check/internal/interp"
)

// CrashingCached is a system whose processes crash, with the cache of one process, which a
// crash of that process empties.
type CrashingCached struct {
	*Crashing
	pid   int
	lines cache.Lines // places in the last word
	words int
}

// NewCrashingCached returns the system with the cache of process pid, at first empty, or nil
// if it accesses too many registers.
func NewCrashingCached(c *Crashing, pid int) *CrashingCached {
	lines := cache.NewLines(c.Model.Procs[pid])
	if lines == nil {
		return nil
	}
	return &CrashingCached{c, pid, lines, c.words + 1}
}

// Words returns the length of a state: that of the system and the cache.
func (c *CrashingCached) Words() int { return c.words }

// Expand makes each process's next access, and crashes processes.
func (c *CrashingCached) Expand(from, out []uint64) (enabled uint64, bad Bad) {
	enabled, bad = c.Crashing.expand(from, out, c.words)
	for a := range c.Actors() {
		if enabled>>a&1 != 0 {
			out[(a+1)*c.words-1] = c.after(from, a)
		}
	}
	return enabled, bad
}

// after returns the cache after the step of an actor.
func (c *CrashingCached) after(from []uint64, actor int) cache.Cache {
	held := from[c.words-1]
	if actor >= c.Model.N {
		first, end := c.Hit(actor-c.Model.N, c.Model.N)
		if first <= c.pid && c.pid < end && c.Local(from, c.pid).Section != interp.Remainder {
			return 0
		}
		return held
	}
	access := c.lines.Of(c.Local(from, actor))
	if actor == c.pid {
		return access.Own(held)
	}
	return access.Others(held)
}

// Remote reports whether the next access of the process goes to memory, with write-back or
// with write-through.
func (c *CrashingCached) Remote(s []uint64, writeBack bool) bool {
	through, back := c.lines.Of(c.Local(s, c.pid)).Remote(s[c.words-1])
	if writeBack {
		return back
	}
	return through
}
