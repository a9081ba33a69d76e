package analyse

import (
	"math/bits"

	"shmbench/check/internal/automaton"
	"shmbench/check/internal/interp"
)

// MostCopies is how many registers a process can have copies of.
const MostCopies = 32

// A cache is which registers a process has a copy of: two bits a register, with
// these values. With write-back a process that has written a register last, with
// nobody reading it since, writes it again for free: its copy is exclusive. With
// write-through every write is remote; the copies are the same.
const (
	sharedCopy    = 1
	exclusiveCopy = 2
	lowBits       = 0x5555555555555555
)

// held returns the lower bit of the place of each copy in a cache.
func held(cache uint64) uint64 { return (cache | cache>>1) & lowBits }

// access is an access to a register, or are accesses to several: their places in a
// cache, the lower bits, and whether they can write.
type access struct {
	bit    uint64
	writes bool
}

// own returns a process's cache after accesses of its own.
func (a access) own(cache uint64) uint64 {
	if a.writes {
		return cache&^(3*a.bit) | exclusiveCopy*a.bit
	}
	return cache | sharedCopy*(a.bit&^held(cache))
}

// others returns a process's cache after accesses by another.
func (a access) others(cache uint64) uint64 {
	if a.writes {
		return cache &^ (3 * a.bit)
	}
	exclusive := cache & (exclusiveCopy * a.bit)
	return cache&^exclusive | exclusive>>1
}

// remote returns what an access of a process's own costs.
func (a access) remote(cache uint64) cost {
	switch {
	case a.bit == 0:
		return cost{}
	case !a.writes:
		return cost{1, 1}.unless(held(cache)&a.bit != 0)
	}
	return cost{1, 0}.plus(cost{0, 1}.unless(cache&(exclusiveCopy*a.bit) != 0))
}

// cost is a number of remote references with write-through and with write-back.
type cost struct{ through, back int32 }

func (c cost) plus(d cost) cost {
	return cost{min(c.through+d.through, endless), min(c.back+d.back, endless)}
}

func (c cost) max(d cost) cost { return cost{max(c.through, d.through), max(c.back, d.back)} }

func (c cost) unless(holds bool) cost {
	if holds {
		return cost{}
	}
	return c
}

// copies is what the local states of a process say of its copies, in a passage
// that begins without any.
type copies struct {
	line map[int32]uint64 // by register: its place in a cache, the lower bit
	// kept has, by local state, the copies that the process can have and that make
	// a difference before the passage ends: those that it may read before it
	// accesses their register otherwise, and of those that it may write before it
	// writes them otherwise whether they are exclusive.
	kept []uint64
}

// newCopies returns the copies of process pid, or nil if it accesses too many
// registers.
func newCopies(m *automaton.Model, pid int) *copies {
	c := &copies{line: map[int32]uint64{}}
	p := m.Procs[pid]
	for _, l := range p.Local {
		if l.Reg < 0 || l.Kind == 0 || c.line[l.Reg] != 0 {
			continue
		}
		if len(c.line) == MostCopies {
			return nil
		}
		c.line[l.Reg] = 1 << (2 * len(c.line))
	}
	needed, got := c.needed(p), c.got(p)
	for s := range p.Local {
		c.kept = append(c.kept, needed[s]&got[s])
	}
	return c
}

// of returns what an access in a local state of any process does.
func (c *copies) of(l *automaton.Local) access {
	if l.Kind == 0 {
		return access{}
	}
	return access{c.line[l.Reg], l.Kind&automaton.Writes != 0}
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
			switch a := c.of(l); {
			case a.writes:
				k = k&^(3*a.bit) | exclusiveCopy*a.bit
			case a.bit != 0:
				k |= sharedCopy * a.bit
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
			switch a := c.of(l); {
			case a.writes:
				k |= 3 * a.bit
			default:
				k |= sharedCopy * a.bit
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
func (c *copies) pack(s int32, cache uint64) (packed uint32) {
	kept := c.kept[s]
	// An exclusive copy is as good as another where only that it is one counts.
	cache |= cache >> 1 & lowBits &^ (kept >> 1)
	for i := 0; kept != 0; i++ {
		bit := kept & -kept
		kept ^= bit
		if cache&bit != 0 {
			packed |= 1 << i
		}
	}
	return packed
}

// unpack returns the cache of that number.
func (c *copies) unpack(s int32, packed uint32) (cache uint64) {
	kept := c.kept[s]
	for ; kept != 0; packed >>= 1 {
		bit := kept & -kept
		kept ^= bit
		if packed&1 != 0 {
			cache |= bit
		}
	}
	return cache
}

// packed returns how many caches make a difference in a local state.
func (c *copies) packed(s int32) uint64 { return 1 << bits.OnesCount64(c.kept[s]) }
