package analyse

import (
	"math/bits"

	"shmbench/check/internal/automaton"
	"shmbench/check/internal/cache"
	"shmbench/check/internal/interp"
)

// cost is a number of remote references with write-through and with write-back.
type cost struct{ through, back int32 }

func (c cost) plus(d cost) cost {
	return cost{min(c.through+d.through, endless), min(c.back+d.back, endless)}
}

func (c cost) max(d cost) cost { return cost{max(c.through, d.through), max(c.back, d.back)} }

// remote returns what an access of a process's own costs.
func remote(a cache.Access, c cache.Cache) (of cost) {
	through, back := a.Remote(c)
	if through {
		of.through = 1
	}
	if back {
		of.back = 1
	}
	return of
}

// copies is what the local states of a process say of its copies, in a passage
// that begins without any.
type copies struct {
	lines cache.Lines
	// kept has, by local state, the copies that the process can have and that make
	// a difference before the passage ends: those that it may read before it
	// accesses their register otherwise, and of those that it may write before it
	// writes them otherwise whether they are exclusive.
	kept []uint64
}

// newCopies returns the copies of process pid, or nil if it accesses too many
// registers.
func newCopies(m *automaton.Model, pid int) *copies {
	p := m.Procs[pid]
	c := &copies{lines: cache.NewLines(p)}
	if c.lines == nil {
		return nil
	}
	needed, got := c.needed(p), c.got(p)
	for s := range p.Local {
		c.kept = append(c.kept, needed[s]&got[s])
	}
	return c
}

// needed goes backwards over the automaton for the copies that make a difference.
func (c *copies) needed(p *automaton.Proc) []uint64 {
	needed := make([]uint64, len(p.Local))
	for changed := true; changed; {
		changed = false
		for s := range p.Local {
			l := &p.Local[s]
			if l.Section == interp.Remainder {
				continue
			}
			var k uint64
			for _, next := range p.Successors(int32(s)) {
				k |= needed[next]
			}
			switch a := c.lines.Of(l); {
			case a.Writes:
				k = k&^(3*a.Bit) | cache.Exclusive*a.Bit
			case a.Bit != 0:
				k |= cache.Shared * a.Bit
			}
			if k != needed[s] {
				needed[s], changed = k, true
			}
		}
	}
	return needed
}

// got goes forwards over it for those that the process can have.
func (c *copies) got(p *automaton.Proc) []uint64 {
	got := make([]uint64, len(p.Local))
	for changed := true; changed; {
		changed = false
		for s := range p.Local {
			l := &p.Local[s]
			k := got[s]
			switch a := c.lines.Of(l); {
			case a.Writes:
				k |= 3 * a.Bit
			default:
				k |= cache.Shared * a.Bit
			}
			for _, next := range p.Successors(int32(s)) {
				if p.Local[next].Section != interp.Remainder && k&^got[next] != 0 {
					got[next], changed = got[next]|k, true
				}
			}
		}
	}
	return got
}

// pack numbers a cache among those that make a difference in a local state, from
// 0: its bits that are kept, side by side.
func (c *copies) pack(s int32, copied cache.Cache) (packed uint32) {
	kept := c.kept[s]
	// An exclusive copy is as good as another where only that it is one counts.
	copied |= copied >> 1 & cache.LowBits &^ (kept >> 1)
	for i := 0; kept != 0; i++ {
		bit := kept & -kept
		kept ^= bit
		if copied&bit != 0 {
			packed |= 1 << i
		}
	}
	return packed
}

// unpack returns the cache of that number.
func (c *copies) unpack(s int32, packed uint32) (copied cache.Cache) {
	kept := c.kept[s]
	for ; kept != 0; packed >>= 1 {
		bit := kept & -kept
		kept ^= bit
		if packed&1 != 0 {
			copied |= bit
		}
	}
	return copied
}

// packed returns how many caches make a difference in a local state.
func (c *copies) packed(s int32) uint64 { return 1 << bits.OnesCount64(c.kept[s]) }
