package shm

import "fmt"

// Outcome says what Recover has found out about the process that called it.
type Outcome uint8

// The outcomes of Recover.
const (
	// Enter: the process is in its entry section, or has nothing to recover. It calls Lock.
	Enter Outcome = iota
	// Inside: the process is in its critical section. It must not call Lock.
	Inside
	// Finished: the process was in its exit section, and Recover has completed it.
	Finished
)

// String returns "enter", "inside" or "finished".
func (o Outcome) String() string {
	if o > Finished {
		return fmt.Sprintf("Outcome(%d)", uint8(o))
	}
	return [...]string{"enter", "inside", "finished"}[o]
}

// Recoverable is a lock whose registers outlive its processes. A process can crash at any
// point of a passage: it loses its local variables, and later comes back under the same
// id. It then calls Recover before anything else. Recover may also be called at the start
// of any other passage.
//
// If a process crashes in its critical section, no other process enters before the process
// has come back to it.
type Recoverable interface {
	Mutex
	// Recover finds out from the registers where process pid crashed, and makes good what
	// it left undone.
	Recover(pid int) Outcome
}

// Recovers reports whether the algorithm's lock is Recoverable. It builds one to see.
func (a Algorithm) Recovers() bool {
	m, err := a.New(a.MinProcs)
	if err != nil {
		return false
	}
	_, ok := m.(Recoverable)
	return ok
}

// Recover begins a passage of process pid with Recover, and calls Lock if that is left to
// do. It reports whether the process is now in its critical section: it is not if it
// crashed in its exit section, which is then complete.
func Recover(m Recoverable, pid int) bool {
	switch m.Recover(pid) {
	case Enter:
		m.Lock(pid)
	case Finished:
		return false
	}
	return true
}
