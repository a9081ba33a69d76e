package bench

import (
	"math"
	"sync/atomic"

	"shmbench/shm"
)

// section is the critical section: shared memory that only the lock protects, on
// cache lines of its own. A passage goes through enter and leave, which check
// mutual exclusion. With Workload.Touch, the passages before the ordering window
// only write touched.
//
// before and after are plain words that are incremented at the two ends of the
// critical section. A process that finds them different meets another process in
// the critical section. Two processes in the critical section also lose an
// increment sooner or later. So at the end, both words must equal the number of
// passages that the processes have counted themselves.
type section struct {
	_             shm.Pad
	before, after uint64
	met           uint64 // passages in which two processes met
	last          uint64 // the passage, counted from 0, that opens the ordering window

	// The rest is only for the edges of windows and for detailed passages.
	edges      [phases]edge
	releasedAt int64 // when the last Unlock was called; 0 if it was not stamped
	logged     int   // length of owners in use
	owners     []uint16
	_          shm.Pad
	touched    uint64 // the last process that was here, by passages that do not check
	_          shm.Pad
	begun      atomic.Uint64 // passages begun in the timing window, readable from outside
	_          shm.Pad
	lines      []line // for critical sections that must write cache lines
}

// line is a word with cache lines of its own.
type line struct {
	value uint64
	_     shm.Pad
}

const never = math.MaxUint64

// logLength is the number of passages of the ordering window that the log keeps.
const logLength = 1 << 20

func newSection(log, lines int) *section {
	s := &section{last: never, owners: make([]uint16, log), lines: make([]line, lines)}
	for i := range s.owners {
		s.owners[i] = math.MaxUint16 // touches the pages before they are needed
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

// leave ends the critical section.
func (s *section) leave() { s.after++ }

// log records that this passage is by process pid.
func (s *section) log(pid int) {
	if n := s.logged; n < len(s.owners) { // the bound is checked even if another process is in the critical section
		s.owners[n] = uint16(pid)
		s.logged = n + 1
	}
}

// exclusive reports whether mutual exclusion held for all of the passages.
func (s *section) exclusive(passages uint64) bool {
	return s.met == 0 && s.before == passages && s.after == passages
}
