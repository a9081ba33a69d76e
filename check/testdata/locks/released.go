package locks

import "shmbench/shm/register"

// Flags is a lock for two processes in which each sets its flag before it looks at
// the other's, and neither enters if both are up: without the two flags, or one of
// them, in memory both do.
type Flags struct {
	flag     [2]register.Bool
	plain    [2]bool
	scratch  register.Bool
	released [2]bool // whose store to flag is released
}

func NewFlags(int) *Flags          { return new(Flags) }
func NewFlagReleased(int) *Flags   { return &Flags{released: [2]bool{false, true}} }
func NewFlagsReleased(int) *Flags  { return &Flags{released: [2]bool{true, true}} }
func NewPlainFlags(int) PlainFlags { return PlainFlags{new(Flags)} }

func (l *Flags) Lock(i int) {
	l.flag[i].StoreReleaseIf(l.released[i], true)
	for l.flag[1-i].Load() {
	}
}

func (l *Flags) Unlock(i int) { l.flag[i].StoreRelease(false) }

// PlainFlags has plain flags, which have no fence either, and one store that says
// that it means it.
type PlainFlags struct{ *Flags }

func (l PlainFlags) Lock(i int) {
	l.plain[i] = true
	for l.plain[1-i] {
	}
}

func (l PlainFlags) Unlock(i int) {
	l.scratch.StoreRelease(true)
	l.plain[i] = false
}

// Drains is Peterson's lock with a doorway that ends with a store which need not
// be in memory when it does: the fence comes later, still before the first look at
// the other.
type Drains struct {
	q, scratch [2]register.Uint32
	turn       register.Uint32
	released   bool
}

func NewDrains(int) *Drains         { return new(Drains) }
func NewDrainsReleased(int) *Drains { return &Drains{released: true} }

func (l *Drains) Lock(i int) {
	l.q[i].StoreReleaseIf(l.released, 1)                     // 1
	l.turn.StoreReleaseIf(l.released, uint32(i))             // 2
	l.scratch[i].Swap(1)                                     // 3
	for l.q[1-i].Load() == 1 && l.turn.Load() == uint32(i) { // 4
	}
}

func (l *Drains) Unlock(i int) {
	l.q[i].StoreReleaseIf(l.released, 0) // 5
}

// Meets is the lock with one release store and a count of the processes in their critical
// sections. The count is two only because of the buffers, and then a process accesses a
// register that is never accessed otherwise.
type Meets struct {
	Flags
	inside register.Int32
	both   register.Bool
}

func NewMeets(int) *Meets { return &Meets{Flags: Flags{released: [2]bool{false, true}}} }

func (l *Meets) Lock(i int) {
	l.Flags.Lock(i)
	l.inside.Add(1)
}

func (l *Meets) Unlock(i int) {
	if l.inside.Add(-1) == 1 {
		l.both.Store(true)
	}
	l.Flags.Unlock(i)
}

// OwnStore is a lock whose process panics unless it finds the newest of its own
// stores.
type OwnStore struct {
	TAS
	own [2]register.Uint32
}

func NewOwnStore(int) *OwnStore { return new(OwnStore) }

func (l *OwnStore) Lock(i int) {
	l.own[i].StoreRelease(1)
	l.own[i].StoreRelease(2)
	if l.own[i].Load() != 2 {
		panic("its own store is lost")
	}
	l.TAS.Lock(i)
}

func (l *OwnStore) Unlock(i int) {
	l.own[i].StoreRelease(0)
	l.TAS.Unlock(i)
}
