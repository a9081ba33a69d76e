// Package verdict has the names of the properties on which a check gives a verdict.
package verdict

import "fmt"

// The names of the properties, for Report.Counterexample and in traces.
const (
	MutualExclusion      = "mutual exclusion"
	DeadlockFreedom      = "deadlock freedom"
	StarvationFreedom    = "starvation freedom"
	BoundedBypass        = "bounded bypass"
	PlacedBypass         = "bounded bypass behind a place"
	WaitFreeDoorway      = "wait-free doorway"
	BoundedRegisters     = "bounded registers"
	FirstComeFirstServed = "first-come-first-served order"
	ExitProgress         = "exit progress"
	DataRaceFreedom      = "data race freedom"
	PanicFreedom         = "panic freedom"
)

// The names of what is decided of modes.
const (
	ReadersTogether         = "readers together"
	ReaderStarvationFreedom = "starvation freedom of readers"
	ReaderBoundedBypass     = "bounded bypass of readers"
	ReaderWaitFreeDoorway   = "wait-free doorway of readers"
	ConcurrentReaders       = "concurrent readers"
	NoEffect                = "no effect of failed calls"
	WaitFreeTry             = "wait-free TryLock"
	StrongTry               = "strong TryLock"
	WaitFreeAbort           = "wait-free abort"
)

// The names of what is decided of locks whose processes crash.
const (
	Reentry                    = "critical-section re-entry"
	RecoverResult              = "result of Recover"
	StrongStarvationFreedom    = "strong starvation freedom"
	StrongFirstComeFirstServed = "strong first-come-first-served order"
	BoundedReentry             = "bounded re-entry"
	BoundedRecovery            = "bounded recovery"
	BoundedExit                = "bounded exit"
)

// Invariant is the property that an invariant is.
func Invariant(name string) string { return fmt.Sprintf("the invariant %q", name) }
