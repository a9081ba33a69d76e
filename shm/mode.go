package shm

import (
	"encoding/json"
	"fmt"
)

// TryMutex is a lock that a process may also try to get.
type TryMutex interface {
	Mutex
	// TryLock returns true when process pid is in its critical section, which it
	// leaves by Unlock. It returns false if it has not got in, and then it is as if it
	// had not been called: no other process waits for this one.
	TryLock(pid int) bool
}

// AbortableMutex is a lock that a process need not wait for to the end.
type AbortableMutex interface {
	Mutex
	// LockUntil is Lock that calls giveUp now and then while it waits, and not again
	// once that has returned true. It returns true when process pid is in its critical
	// section, which it leaves by Unlock. It returns false if it has given up, and then
	// no other process waits for this one.
	LockUntil(pid int, giveUp func() bool) bool
}

// RWMutex is a reader-writer lock: Lock and Unlock are the writer's, and of the
// processes that are in a critical section either one is a writer and alone, or
// all are readers.
type RWMutex interface {
	Mutex
	// RLock is the entry section of a reader.
	RLock(pid int)
	// RUnlock is the exit section of a reader.
	RUnlock(pid int)
}

// TryRWMutex is a reader-writer lock whose readers may also try to get it.
type TryRWMutex interface {
	RWMutex
	// TryRLock returns true when process pid is in its critical section as a reader,
	// which it leaves by RUnlock. It returns false if it has not got in, and then it is
	// as if it had not been called.
	TryRLock(pid int) bool
}

// Mode is a kind of passage: by which calls a process enters its critical section
// and leaves it, whether the first may fail, and who may be inside meanwhile. What
// checks, stresses or measures locks makes passages in the modes that a lock has,
// and asks here what they are; in each passage a process may choose another.
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

// Modes returns the modes that the algorithm's lock has, Exclusive first. It
// builds one to see.
func (a Algorithm) Modes() []Mode {
	m, err := a.New(a.MinProcs)
	if err != nil {
		return []Mode{Exclusive}
	}
	return Modes(m)
}

// Conflicts reports whether a process in a critical section that it has entered in
// one mode excludes one that would enter in the other: unless both are readers.
func (m Mode) Conflicts(other Mode) bool { return !m.Reads() || !other.Reads() }

// Reads reports whether a process is a reader in the mode.
func (m Mode) Reads() bool { return m == Shared || m == TryShared }

// Tries reports whether the call that enters is one that does not wait.
func (m Mode) Tries() bool { return m == Try || m == TryShared }

// MayFail reports whether the call that enters may return without having entered.
func (m Mode) MayFail() bool { return modes[m].mayFail }

// Calls returns the names of the methods that enter and leave.
func (m Mode) Calls() (enter, leave string) { return modes[m].enter, modes[m].leave }

// Enter makes the call that enters, and reports whether process pid is in its
// critical section. Of the modes, only Until needs giveUp. The lock must have the
// mode.
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

// Leave makes the call that leaves.
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

// MarshalJSON encodes the mode as its name.
func (m Mode) MarshalJSON() ([]byte, error) { return json.Marshal(m.String()) }

// UnmarshalJSON decodes the mode from its name.
func (m *Mode) UnmarshalJSON(text []byte) error {
	var name string
	if err := json.Unmarshal(text, &name); err != nil {
		return err
	}
	for mode := range numModes {
		if mode.String() == name {
			*m = mode
			return nil
		}
	}
	return fmt.Errorf("there is no mode %q", name)
}

// Mixed is what is claimed of a lock that has other modes than Exclusive, where
// each process makes each passage in any of them, and calls that may fail, fail as
// often as they can. The other claims of the specification are of Lock and Unlock alone, and
// so is its Class; its Space is of all modes together.
// Mutual exclusion of passages whose modes conflict is not listed: every lock
// claims it.
type Mixed struct {
	// Class is the operations that the other modes need and Lock and Unlock do not.
	Class Class `json:"class,omitzero"`
	// DeadlockFree: if a process is in Lock or RLock, some process later enters its
	// critical section; and every Unlock and RUnlock returns.
	DeadlockFree bool `json:"deadlock_free"`
	// Writers is of those that call Lock, Readers of those that call RLock.
	Writers Patient `json:"writers"`
	Readers Patient `json:"readers,omitzero"`
	// Concurrent: while no process makes other passages than those of readers, RLock
	// returns in a bounded number of its own steps.
	Concurrent bool `json:"concurrent,omitempty"`
	// WaitFreeTry: TryLock and TryRLock return in a bounded number of their own steps.
	WaitFreeTry bool `json:"wait_free_try,omitempty"`
	// StrongTry: TryLock fails only if at some moment of the call another process is
	// in its critical or exit section, and TryRLock only if one is that is no reader.
	StrongTry bool `json:"strong_try,omitempty"`
	// WaitFreeAbort: once giveUp has returned true, LockUntil returns in a bounded
	// number of its own steps. Without it, it may have to wait for others that
	// enter, leave or give up.
	WaitFreeAbort bool `json:"wait_free_abort,omitempty"`
}

// Patient is what is claimed of a call that cannot fail, whatever modes the others
// choose.
type Patient struct {
	// StarvationFree: a process in its entry section later enters.
	StarvationFree bool `json:"starvation_free"`
	// Bypass bounds how many critical sections other than Shared ones can begin
	// between the end of the doorway and the process's own entry: of readers it is 1
	// where the lock is phase-fair, and n-1 where it is first-come-first-served.
	Bypass Formula `json:"bypass"`
	// Doorway is the label of the last line of the doorway, which in RLock may be
	// another than in Lock.
	Doorway string `json:"doorway,omitempty"`
}
