package shm

import "fmt"

// TryMutex is a lock that a process may also try to acquire.
type TryMutex interface {
	Mutex
	// TryLock returns true if process pid has acquired the lock, which Unlock releases. Otherwise
	// it returns false, and then it has had no effect: no other process waits for this one.
	TryLock(pid int) bool
}

// AbortableMutex is a lock whose entry section a process may abort.
type AbortableMutex interface {
	Mutex
	// LockUntil is Lock that calls giveUp now and then while it waits, and not again after giveUp
	// has returned true. It returns true if process pid has acquired the lock, which Unlock
	// releases. It returns false if the process has given up, and then no other process waits for
	// this one.
	LockUntil(pid int, giveUp func() bool) bool
}

// RWMutex is a reader-writer lock. Lock and Unlock are for writers. At any time either one
// writer is in its critical section, or any number of readers.
type RWMutex interface {
	Mutex
	// RLock acquires the lock for process pid as a reader.
	RLock(pid int)
	// RUnlock releases the lock for process pid as a reader.
	RUnlock(pid int)
}

// TryRWMutex is a reader-writer lock that readers may also try to acquire.
type TryRWMutex interface {
	RWMutex
	// TryRLock returns true if process pid has acquired the lock as a reader, which RUnlock
	// releases. Otherwise it returns false, and then it has had no effect.
	TryRLock(pid int) bool
}

// Mode is a kind of passage: the calls by which a process enters and leaves, whether the first
// may fail, and which other processes may be in their critical sections meanwhile. Instruments
// that check, stress-test or measure locks make passages in all modes of a lock. Each passage
// of a process may have another mode.
type Mode uint8

const (
	// Exclusive is Lock and Unlock, which every lock has.
	Exclusive Mode = iota
	// Shared is RLock and RUnlock of an RWMutex.
	Shared
	// Try is TryLock and Unlock of a TryMutex.
	Try
	// Until is LockUntil and Unlock of an AbortableMutex.
	Until
	// TryShared is TryRLock and RUnlock of a TryRWMutex.
	TryShared
	numModes
)

var modes = [numModes]struct {
	name, enter, leave string
	mayFail            bool
	has                func(Mutex) bool
}{
	Exclusive: {"exclusive", "Lock", "Unlock", false, func(Mutex) bool { return true }},
	Shared:    {"shared", "RLock", "RUnlock", false, is[RWMutex]},
	Try:       {"try", "TryLock", "Unlock", true, is[TryMutex]},
	Until:     {"until", "LockUntil", "Unlock", true, is[AbortableMutex]},
	TryShared: {"try-shared", "TryRLock", "RUnlock", true, is[TryRWMutex]},
}

func is[T Mutex](m Mutex) bool {
	_, ok := m.(T)
	return ok
}

// Modes returns the modes that a lock has, Exclusive first.
func Modes(m Mutex) []Mode {
	var has []Mode
	for mode := range numModes {
		if modes[mode].has(m) {
			has = append(has, mode)
		}
	}
	return has
}

// Modes returns the modes of the algorithm's lock, Exclusive first. It builds a lock to find
// them.
func (a Algorithm) Modes() []Mode {
	m, err := a.New(a.MinProcs)
	if err != nil {
		return []Mode{Exclusive}
	}
	return Modes(m)
}

// Conflicts reports whether a process in a critical section of one mode excludes a process
// that enters in the other mode. Only two readers do not conflict.
func (m Mode) Conflicts(other Mode) bool { return !m.Reads() || !other.Reads() }

// Reads reports whether a process is a reader in the mode.
func (m Mode) Reads() bool { return m == Shared || m == TryShared }

// Tries reports whether the entry call is one that does not wait.
func (m Mode) Tries() bool { return m == Try || m == TryShared }

// MayFail reports whether the entry call may return without having acquired the lock.
func (m Mode) MayFail() bool { return modes[m].mayFail }

// Calls returns the names of the entry and the exit method.
func (m Mode) Calls() (enter, leave string) { return modes[m].enter, modes[m].leave }

// Enter makes the entry call, and reports whether process pid is in its critical section. Only
// the mode Until needs giveUp. The lock must have the mode.
func (m Mode) Enter(lock Mutex, pid int, giveUp func() bool) bool {
	switch m {
	case Shared:
		lock.(RWMutex).RLock(pid)
		return true
	case Try:
		return lock.(TryMutex).TryLock(pid)
	case Until:
		return lock.(AbortableMutex).LockUntil(pid, giveUp)
	case TryShared:
		return lock.(TryRWMutex).TryRLock(pid)
	}
	lock.Lock(pid)
	return true
}

// Leave makes the exit call.
func (m Mode) Leave(lock Mutex, pid int) {
	if m.Reads() {
		lock.(RWMutex).RUnlock(pid)
		return
	}
	lock.Unlock(pid)
}

// String returns the mode's name: "exclusive", "shared", "try", "until", "try-shared".
func (m Mode) String() string {
	if m >= numModes {
		return fmt.Sprintf("mode %d", uint8(m))
	}
	return modes[m].name
}

// MarshalText encodes the mode as its name.
func (m Mode) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText decodes the mode from its name.
func (m *Mode) UnmarshalText(name []byte) error {
	for mode := range numModes {
		if mode.String() == string(name) {
			*m = mode
			return nil
		}
	}
	return fmt.Errorf("there is no mode %q", name)
}

// Mixed has the claims of a lock with other modes than Exclusive. They hold if each process
// chooses a mode for each passage, and calls that may fail do so as often as they can. The
// other claims of the specification, and its Class, are for Lock and Unlock only. Its Space is
// for all modes. Mutual exclusion of passages whose modes conflict is not listed, because
// every lock claims it.
type Mixed struct {
	// Class is the operations that the other modes need and Lock and Unlock do not.
	Class Class `json:"class,omitzero"`
	// DeadlockFree: if a process is in Lock or RLock, some process later enters its
	// critical section; and every Unlock and RUnlock returns.
	DeadlockFree bool `json:"deadlock_free"`
	// Writers has the claims for Lock, and Readers those for RLock.
	Writers Patient `json:"writers"`
	Readers Patient `json:"readers,omitzero"`
	// Concurrent: while all passages are those of readers, RLock returns in a bounded number of
	// its own steps.
	Concurrent bool `json:"concurrent,omitempty"`
	// WaitFreeTry: TryLock and TryRLock return in a bounded number of their own steps.
	WaitFreeTry bool `json:"wait_free_try,omitempty"`
	// StrongTry: TryLock fails only if another process is in its critical or exit section at
	// some moment of the call. TryRLock fails only if a process that does not read is there.
	StrongTry bool `json:"strong_try,omitempty"`
	// WaitFreeAbort: once giveUp has returned true, LockUntil returns in a bounded number of its
	// own steps. Without this claim, it may wait for processes that enter, leave or give up.
	WaitFreeAbort bool `json:"wait_free_abort,omitempty"`
}

// Patient has the claims for a call that cannot fail, whatever modes the other processes
// choose.
type Patient struct {
	// StarvationFree: a process in its entry section later enters.
	StarvationFree bool `json:"starvation_free"`
	// Bypass bounds the critical sections other than Shared ones that can begin between the end
	// of the doorway and the process's own entry. For readers it is 1 in a phase-fair lock, and
	// n-1 in a first-come-first-served lock.
	Bypass Formula `json:"bypass"`
	// Doorway is the label of the last line of the doorway. RLock and Lock may have different
	// ones.
	Doorway string `json:"doorway,omitempty"`
}
