package locks

import "sync/atomic"

// Marked is a word that is not 0 while a process with a mark other than 0 is in.
type Marked struct {
	busy atomic.Uint32
	mark []uint32
}

// NewMarked returns a lock in which everybody leaves a mark of its own.
func NewMarked(n int) *Marked {
	l := &Marked{mark: make([]uint32, n)}
	for pid := range l.mark {
		l.mark[pid] = uint32(pid + 1)
	}
	return l
}

// NewOddMark returns a lock in which process 1 leaves a mark of its own, and the
// others one that they share.
func NewOddMark(n int) *Marked {
	l := &Marked{mark: make([]uint32, n)}
	for pid := range l.mark {
		l.mark[pid] = 1
	}
	l.mark[1] = 2
	return l
}

// NewUnmarked returns a lock that process 1 leaves open when it goes in.
func NewUnmarked(n int) *Marked {
	l := NewMarked(n)
	l.mark[1] = 0
	return l
}

// Lock enters.
func (l *Marked) Lock(pid int) {
	for !l.busy.CompareAndSwap(0, l.mark[pid]) {
	}
}

// Unlock leaves.
func (l *Marked) Unlock(int) { l.busy.Store(0) }

// Stale is a lock whose word says at first that process 0 was the last one in, and whose
// processes do not care, except process 1 where cares is set.
type Stale struct {
	busy  atomic.Bool
	last  atomic.Uint32
	cares bool
}

// NewStale returns a lock in which the processes ignore it.
func NewStale(int) *Stale { return &Stale{} }

// NewCaring returns a lock where process 1 gives way forever to the process that was in last.
func NewCaring(int) *Stale { return &Stale{cares: true} }

// Lock enters.
func (l *Stale) Lock(pid int) {
	for l.busy.Swap(true) {
	}
	for l.last.Load() != uint32(pid) && (pid == 1 && l.cares) {
	}
	l.last.Store(uint32(pid))
}

// Unlock leaves.
func (l *Stale) Unlock(int) { l.busy.Store(false) }

// Relays lets a process in that finds its own id in a register twice in a row. Two processes can overwrite each other's
// id forever: the state after each of these steps is the state before it with other names.
type Relays struct{ last atomic.Uint32 }

func NewRelays(n int) *Relays { return new(Relays) }

func (l *Relays) Lock(i int) {
	for l.last.Swap(uint32(i)) != uint32(i) {
	}
}

func (l *Relays) Unlock(i int) {}
