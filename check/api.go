package check

import (
	"shmbench/check/internal/execution"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/source"
	"shmbench/check/internal/trace"
	"shmbench/check/internal/verdict"
)

// Trace is an execution that violates a property or attains a bound. For a safety property it
// is a shortest one, and for a liveness property it ends in a cycle. Property
// names the property, N is the number of processes, and Steps are the steps.
// Cycle is the index of the first step of the cycle, or -1. End says in words
// what happens. String prints a column for each process, and Replay runs the
// trace on the compiled code. docs/checking.md describes its JSON.
type Trace = trace.Trace

// Step is one step of a Trace: an access to shared memory by a process, the arrival in memory
// of a store from its buffer, or a decision of the process. Process, File and Line locate the
// step in the source. Op, Register, Before and After describe its effect. Section and Turn
// describe the process after the step.
type Step = execution.Step

// Flush is the Op of a Step in which a store reaches memory from its buffer.
const Flush = execution.Flush

// Origin is the origin of the lock of a Trace or a Schedule: the Constructor, or the Algorithm
// of a List of a Package.
type Origin = source.Origin

// Schedule is an execution that names the process of each step. It has the lock of Origin, N
// processes and their Turns, such as "0,1,1,0". Replay runs it.
type Schedule = trace.Schedule

// Crashes describes the crashes of processes that a check explores: System makes each crash a crash
// of all processes that are not in their remainder sections, and Most is the largest number of
// crashes in an execution, or 0 for any number. A process that crashes loses its local state and
// keeps the memory that New has built. It eventually begins a new passage: with Recover, if the lock
// has this method of shm.Recoverable, and otherwise with Lock.
type Crashes = explore.Crashes

// InternalError is a fault of the checker, not of the lock: the checker's own code fails, or
// the interpreter and the compiled code of the lock disagree. The check then has no report on
// the lock for N processes. Other reports stay valid.
type InternalError = source.InternalError

// TraceFormat is the format of a file whose results are traces.
const TraceFormat = trace.Format

// ReadTraces reads a file of traces, as shmbench check -o FILE.json writes them.
func ReadTraces(file string) ([]*Trace, error) { return trace.Read(file) }

// IsSchedule reports whether a word begins like a schedule and not like the name of a file.
func IsSchedule(word string) bool { return trace.IsSchedule(word) }

// MaxProcs is the largest number of processes that a check allows.
const MaxProcs = source.MaxProcs

// MaxPassages is the largest number of passages of each process that Options may ask for.
const MaxPassages = explore.MostPassages

// The names of the properties, for Report.Counterexample and in traces.
const (
	MutualExclusion      = verdict.MutualExclusion
	DeadlockFreedom      = verdict.DeadlockFreedom
	StarvationFreedom    = verdict.StarvationFreedom
	BoundedBypass        = verdict.BoundedBypass
	PlacedBypass         = verdict.PlacedBypass
	WaitFreeDoorway      = verdict.WaitFreeDoorway
	BoundedRegisters     = verdict.BoundedRegisters
	FirstComeFirstServed = verdict.FirstComeFirstServed
	ExitProgress         = verdict.ExitProgress
	DataRaceFreedom      = verdict.DataRaceFreedom
	PanicFreedom         = verdict.PanicFreedom

	ReadersTogether         = verdict.ReadersTogether
	ReaderStarvationFreedom = verdict.ReaderStarvationFreedom
	ReaderBoundedBypass     = verdict.ReaderBoundedBypass
	ReaderWaitFreeDoorway   = verdict.ReaderWaitFreeDoorway
	ConcurrentReaders       = verdict.ConcurrentReaders
	NoEffect                = verdict.NoEffect
	WaitFreeTry             = verdict.WaitFreeTry
	StrongTry               = verdict.StrongTry
	WaitFreeAbort           = verdict.WaitFreeAbort
)

// The names of the properties of locks whose processes crash.
const (
	Reentry                    = verdict.Reentry
	RecoverResult              = verdict.RecoverResult
	StrongStarvationFreedom    = verdict.StrongStarvationFreedom
	StrongFirstComeFirstServed = verdict.StrongFirstComeFirstServed
	BoundedReentry             = verdict.BoundedReentry
	BoundedRecovery            = verdict.BoundedRecovery
	BoundedExit                = verdict.BoundedExit
)

// InvariantNamed returns the name, as a property, of the lock's invariant with the given name.
func InvariantNamed(name string) string { return verdict.Invariant(name) }
