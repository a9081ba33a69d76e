package counts

import "sync/atomic"

// Halves is a ticket lock in one word: the next ticket is in the upper 16 bits, and the served ticket
// in the lower 16 bits.
type Halves struct{ word atomic.Uint32 }

// NewHalves returns a Halves.
func NewHalves(int) *Halves { return new(Halves) }

func (l *Halves) Lock(int) {
	word := l.word.Add(1 << 16)
	mine := uint16(word>>16) - 1
	for uint16(word) != mine {
		word = l.word.Load()
	}
}

func (l *Halves) Unlock(int) {
	for {
		word := l.word.Load()
		served := uint32(uint16(word) + 1)
		if l.word.CompareAndSwap(word, word&0xffff0000|served) {
			return
		}
	}
}

// Quarters is a ticket lock with two tickets of 8 bits in the lower half of a word.
type Quarters struct{ word atomic.Uint32 }

// NewQuarters returns a Quarters.
func NewQuarters(int) *Quarters { return new(Quarters) }

func (l *Quarters) Lock(int) {
	var mine uint8
	for {
		word := l.word.Load()
		if l.word.CompareAndSwap(word, word&0xff00|uint32(uint8(word)+1)) {
			mine = uint8(word)
			break
		}
	}
	for uint8(l.word.Load()>>8) != mine {
	}
}

func (l *Quarters) Unlock(int) {
	for {
		word := l.word.Load()
		served := uint8(word>>8) + 1
		if l.word.CompareAndSwap(word, word&0xff|uint32(served)<<8) {
			return
		}
	}
}

const held = 1 << 31

// Version has a lock bit in the highest bit of a word, and a version that counts passages below it.
type Version struct{ word atomic.Uint32 }

// NewVersion returns a Version.
func NewVersion(int) *Version { return new(Version) }

func (l *Version) Lock(int) {
	for {
		word := l.word.Load()
		if word&held == 0 && l.word.CompareAndSwap(word, word|held) {
			return
		}
	}
}

func (l *Version) Unlock(int) { l.word.Store((l.word.Load() + 1) &^ held) }
