package explore

import (
	"fmt"
	"math/bits"
	"strconv"

	"shmbench/check/internal/interp"
)

// Crashes says which crashes there are.
type Crashes struct {
	// System: a crash is one of all processes that are not in their remainder sections, and
	// else of one such process.
	System bool
	// Most is how many crashes there are at most, or 0 for any number.
	Most int
}

// String returns "any", "1", "system" or "system:1".
func (c Crashes) String() string {
	switch {
	case c.System && c.Most > 0:
		return fmt.Sprintf("system:%d", c.Most)
	case c.System:
		return "system"
	case c.Most > 0:
		return strconv.Itoa(c.Most)
	}
	return "any"
}

// Parties returns how many parties crash n processes.
func (c Crashes) Parties(n int) int {
	if c.System {
		return 1
	}
	return n
}

// Hit returns the processes that party k crashes, of n.
func (c Crashes) Hit(k, n int) (first, end int) {
	if c.System {
		return 0, n
	}
	return k, k + 1
}

// Crashing is a model under sequential consistency whose processes crash. Parties N and
// up crash processes. A process that has crashed has its initial local state, and a mark
// until its next step: it may not stay in its remainder section. A process that crashes in
// its critical section has another mark until it enters again.
type Crashing struct {
	*SC
	Crashes
	crashed []Field   // by process: it has crashed, and has not made a step since
	owed    []Field   // by process: it has crashed in its critical section, and not entered since
	count   Field     // the crashes, if they are limited
	start   [][]int32 // by process and number of passages: the local state in which a passage begins
}

// NewCrashing returns the system of a model whose processes crash. Its states have the fields of
// s, which stays as it is, and the marks behind them.
func NewCrashing(s *SC, crashes Crashes) *Crashing {
	wider := *s
	c := &Crashing{SC: &wider, Crashes: crashes}
	p := s.free
	for _, proc := range s.Model.Procs {
		c.crashed, c.owed = append(c.crashed, p.field(2)), append(c.owed, p.field(2))
		var start []int32
		for i, l := range proc.Local {
			if l.Section != interp.Remainder || l.Reg < 0 && l.Fault == nil {
				continue
			}
			for len(start) <= int(l.Passages) {
				start = append(start, int32(proc.Init))
			}
			start[l.Passages] = int32(i)
		}
		c.start = append(c.start, start)
	}
	if crashes.Most > 0 {
		c.count = p.field(crashes.Most + 1)
	}
	wider.words = p.word + 1
	return c
}

// Actors returns the number of processes and of what crashes them.
func (c *Crashing) Actors() int { return c.Parties() }

// Parties returns the number of processes and of what crashes them.
func (c *Crashing) Parties() int { return c.Model.N + c.Crashes.Parties(c.Model.N) }

// Crashed reports whether a process has crashed and has made no step since.
func (c *Crashing) Crashed(s []uint64, pid int) bool { return c.crashed[pid].Of(s) != 0 }

// Owed reports whether a process has crashed in its critical section, and has not entered
// since.
func (c *Crashing) Owed(s []uint64, pid int) bool { return c.owed[pid].Of(s) != 0 }

// Hits reports whether a step of a party crashes a process.
func (c *Crashing) Hits(s []uint64, party, pid int) bool {
	if party < c.Model.N {
		return false
	}
	first, end := c.Hit(party-c.Model.N, c.Model.N)
	return first <= pid && pid < end && c.Local(s, pid).Section != interp.Remainder
}

// Expand makes each process's next access, and crashes processes.
func (c *Crashing) Expand(from, out []uint64) (enabled uint64, bad Bad) {
	return c.expand(from, out, c.words)
}

// expand writes successors that are stride words apart, each into the first Words of them.
func (c *Crashing) expand(from, out []uint64, stride int) (enabled uint64, bad Bad) {
	from = from[:c.words]
	enabled, bad = c.SC.expand(from, out, stride)
	for set := enabled; set != 0; set &= set - 1 {
		pid := bits.TrailingZeros64(set)
		to := out[pid*stride:][:c.words]
		c.crashed[pid].set(to, 0)
		if c.Local(to, pid).Section == interp.Critical && c.Local(from, pid).Section != interp.Critical {
			c.owed[pid].set(to, 0)
		}
	}
	bad |= c.reentry(from)
	for k := range c.Crashes.Parties(c.Model.N) {
		if c.crash(k, from, out[(c.Model.N+k)*stride:][:c.words]) {
			enabled |= 1 << (c.Model.N + k)
		}
	}
	return enabled, bad
}

// reentry returns Reentry if a process is in its critical section while another has crashed
// in its own and has not entered since.
func (c *Crashing) reentry(s []uint64) Bad {
	owed, in := false, false
	for pid := range c.Model.N {
		owed = owed || c.Owed(s, pid)
		in = in || c.Local(s, pid).Section == interp.Critical
	}
	if owed && in {
		return Reentry
	}
	return 0
}

// crash lets party k crash processes, and reports whether any can crash.
func (c *Crashing) crash(k int, from, to []uint64) bool {
	if c.Most > 0 && int(c.count.Of(from)) == c.Most {
		return false
	}
	any := false
	copy(to, from)
	for pid, end := c.Hit(k, c.Model.N); pid < end; pid++ {
		l := c.Local(from, pid)
		if l.Section == interp.Remainder || l.Fault != nil {
			continue
		}
		any = true
		if l.Section == interp.Critical {
			c.owed[pid].set(to, 1)
		}
		c.crashed[pid].set(to, 1)
		c.Procs[pid].set(to, c.start[pid][l.Passages])
	}
	if any && c.Most > 0 {
		c.count.set(to, c.count.Of(from)+1)
	}
	return any
}
