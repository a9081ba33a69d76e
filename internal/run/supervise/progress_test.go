package supervise_test

import (
	"sync/atomic"
	"time"

	"shmbench/internal/run/watchdog"
	"shmbench/shm"
)

// Progress is a word for each child, in the region. The child counts in it the sections that
// it has entered, in the order of a passage: the remainder of the count by Sections is where
// the child is.
type Progress []word

type word struct {
	_     shm.Pad
	moves atomic.Uint64
	_     shm.Pad
}

// The sections of a passage.
const (
	Remainder = iota
	Entry
	Critical
	Exit
	Sections
)

// NewProgress returns words of n children, for region.Put.
func NewProgress(n int) Progress { return make(Progress, n) }

// Move says that child i has entered its next section. Only the child calls it.
func (p Progress) Move(i int) { p[i].moves.Store(p[i].moves.Load() + 1) }

// Return says that child i is in the section before again: its entry failed.
func (p Progress) Return(i int) { p[i].moves.Store(p[i].moves.Load() - 1) }

// Moves returns how often child i has moved.
func (p Progress) Moves(i int) uint64 { return p[i].moves.Load() }

// Rest says that child i, which has died, is in its remainder section, where the next life
// begins. A critical section that had begun counts.
func (p Progress) Rest(i int) {
	moves := p.Moves(i)
	if moves%Sections == Entry {
		moves -= Entry
	}
	p[i].moves.Store((moves + Sections - 1) / Sections * Sections)
}

// Entered returns how many critical sections child i has begun.
func (p Progress) Entered(i int) uint64 { return (p.Moves(i) + Sections - Critical) / Sections }

// Watchdog returns a watchdog over the children. A child that does not run, as runs reports,
// is away.
func (p Progress) Watchdog(deadline time.Duration, runs func(i int) bool) *watchdog.Watchdog {
	return watchdog.New(len(p), deadline, func(i int) (uint64, watchdog.Place) {
		moves := p.Moves(i)
		switch section := moves % Sections; {
		case !runs(i):
			return moves, watchdog.Away
		case section == Entry || section == Exit:
			return moves, watchdog.Inside
		}
		return moves, watchdog.Outside
	})
}
