// Package cache has the protocol of coherent caches: which of its registers a process
// holds a copy of, and which accesses are remote.
package cache

import "shmbench/check/internal/automaton"

// Most is how many registers a cache can have.
const Most = 32

// A Cache is which registers a process has a copy of: two bits a register, with the
// values Shared and Exclusive, or 0. With write-back a process that has written a
// register last, and no other process has read since, writes it again for free: its copy is
// exclusive. With write-through every write is remote; the copies are the same.
type Cache = uint64

// The states of a copy, and the lower bit of every copy.
const (
	Shared    Cache = 1
	Exclusive Cache = 2
	LowBits   Cache = 0x5555555555555555
)

// Held returns the lower bit of the place of each copy in a cache.
func Held(c Cache) uint64 { return (c | c>>1) & LowBits }

// Lines are the places of registers in a cache: by register, the lower bit, or 0.
type Lines []uint64

// NewLines returns places for the registers that a process accesses. It returns nil if
// they are too many.
func NewLines(p *automaton.Proc) Lines {
	lines, places := Lines{}, 0
	for _, l := range p.Local {
		if l.Reg < 0 || l.Kind == 0 || lines.At(l.Reg) != 0 {
			continue
		}
		if places == Most {
			return nil
		}
		if more := int(l.Reg) + 1 - len(lines); more > 0 {
			lines = append(lines, make(Lines, more)...)
		}
		lines[l.Reg] = 1 << (2 * places)
		places++
	}
	return lines
}

// At returns the place of a register, or 0 if it has none.
func (lines Lines) At(reg int32) uint64 {
	if uint(reg) < uint(len(lines)) {
		return lines[reg]
	}
	return 0
}

// Access is an access to a register, or are accesses to several: their places, the
// lower bits, and whether they can write. An access that can write counts as a write.
type Access struct {
	Bit    uint64
	Writes bool
}

// Of returns the access that any process makes in a local state. Its Bit is 0 if the
// cache has no place for the register.
func (lines Lines) Of(l *automaton.Local) Access {
	if l.Kind == 0 {
		return Access{}
	}
	return Access{lines.At(l.Reg), l.Kind&automaton.Writes != 0}
}

// Own returns a process's cache after accesses of its own.
func (a Access) Own(c Cache) Cache {
	if a.Writes {
		return c&^(3*a.Bit) | Exclusive*a.Bit
	}
	return c | Shared*(a.Bit&^Held(c))
}

// Others returns a process's cache after accesses by another process.
func (a Access) Others(c Cache) Cache {
	if a.Writes {
		return c &^ (3 * a.Bit)
	}
	exclusive := c & (Exclusive * a.Bit)
	return c&^exclusive | exclusive>>1
}

// Remote reports whether a process's own access is remote with write-through, and with
// write-back.
func (a Access) Remote(c Cache) (through, back bool) {
	switch {
	case a.Bit == 0:
		return false, false
	case !a.Writes:
		missing := Held(c)&a.Bit == 0
		return missing, missing
	}
	return true, c&(Exclusive*a.Bit) == 0
}
