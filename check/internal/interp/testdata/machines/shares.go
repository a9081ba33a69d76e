package machines

import "sync/atomic"

// Shares has memory of each kind for two processes.
type Shares struct {
	constant int
	mine     [2]int
	both     int
	counted  atomic.Int32
	handed   int
	last     [2]int
}

func NewShares(int) *Shares { return &Shares{constant: 3} }

func (l *Shares) Lock(pid int) {
	l.mine[pid] = l.constant
	l.both = pid
	l.counted.Store(1)
	if pid == 0 {
		l.handed = 1
	} else {
		l.last[pid] = l.handed
	}
}

func (l *Shares) Unlock(int) {}

// Copies is copied by one process while the other writes a word of it.
type Copies struct {
	pair [2]int
	own  [2]int
}

func NewCopies(int) *Copies { return &Copies{} }

func (l *Copies) Lock(pid int) {
	if pid == 0 {
		l.own = l.pair
	} else {
		l.pair[1] = 1
	}
}

func (l *Copies) Unlock(int) {}

var (
	built   int
	table   = map[int]int{1: 2}
	started = 7
)

// CountsBuilt counts in a variable of the package how often it was built.
type CountsBuilt struct{ x int }

func NewCountsBuilt(int) *CountsBuilt {
	built++
	return &CountsBuilt{}
}

func (l *CountsBuilt) Lock(int)   { l.x = started }
func (l *CountsBuilt) Unlock(int) {}

// NotesBuilt notes in a map of the package that it was built.
type NotesBuilt struct{ x int }

func NewNotesBuilt(n int) *NotesBuilt {
	table[n] = 1
	return &NotesBuilt{}
}

func (l *NotesBuilt) Lock(int)   { l.x = 1 }
func (l *NotesBuilt) Unlock(int) {}

// WritesGlobal writes a variable of the package, WritesOld one that the package has
// made.
type WritesGlobal struct{ x int }

func NewWritesGlobal(int) *WritesGlobal { return &WritesGlobal{} }

func (l *WritesGlobal) Lock(int)   { started = 7 }
func (l *WritesGlobal) Unlock(int) {}

var old = &Shares{}

type WritesOld struct{ x *Shares }

func NewWritesOld(int) *WritesOld { return &WritesOld{old} }

func (l *WritesOld) Lock(int)   { l.x.both = 1 }
func (l *WritesOld) Unlock(int) {}

// Fresh writes what New has made, and reads what the package has.
type Fresh struct {
	x int
	m map[int]int
}

func NewFresh(int) *Fresh {
	m := map[int]int{}
	m[2] = table[1]
	return &Fresh{m: m}
}

func (l *Fresh) Lock(int)   { l.x = started + old.constant + table[1] + l.m[2] }
func (l *Fresh) Unlock(int) {}
