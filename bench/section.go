package bench

import (
	"math"
	"sync/atomic"

	"shmbench/shm"
)

// section is the critical section: shared memory that only the lock protects,
// on cache lines of its own. Every passage goes through enter and leave; nothing
// switches the check off.
//
// before and after are plain words, counted up at the two ends of the critical
// section. A process that finds them different meets another inside. And as
// two processes inside lose an increment sooner or later, both must at the end
// be the number of passages that the processes have counted for themselves.
type section struct {
	_             shm.Pad
	before, after uint64
	met           uint64 // passages in which two processes met
	last          uint64 // the passage, counted from 0, that opens the ordering window

	// The rest is for the edges of windows and for detailed passages only.
	edges      [phases]edge
	releasedAt int64 // when the last Unlock was called, or 0: not stamped
	logged     int   // length of owners in use
	owners     []uint16
	_          shm.Pad
	begun      atomic.Uint64 // passages begun in the timing window, readable from outside
	_          shm.Pad
	lines      []line // written by critical sections that are to write cache lines
}

// line is a word with cache lines of its own.
type line struct {
	value uint64
	_     shm.Pad
}

const never = math.MaxUint64

// logLength is how many passages of the ordering window are remembered.
const logLength = 1 << 20

func newSection(log, lines int) *section {
	s := &section{last: never, owners: make([]uint16, log), lines: make([]line, lines)}
	for i := range s.owners {
		s.owners[i] = math.MaxUint16 // fetches the pages before they are needed
	}
	return s
}

// enter begins a critical section and returns the passage's number.
func (s *section) enter() uint64 {
	before := s.before
	if before != s.after {
		s.met++
	}
	s.before = before + 1
	return before
}

// leave ends it.
func (s *section) leave() { s.after++ }

// log notes whose passage this is.
func (s *section) log(pid int) {
	if n := s.logged; n < len(s.owners) { // also where another process is in here
		s.owners[n] = uint16(pid)
		s.logged = n + 1
	}
}

// exclusive reports whether the lock held for all of the passages.
func (s *section) exclusive(passages uint64) bool {
	return s.met == 0 && s.before == passages && s.after == passages
}
