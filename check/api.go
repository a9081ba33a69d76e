package check

import (
	"shmbench/check/internal/execution"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/source"
	"shmbench/check/internal/trace"
	"shmbench/check/internal/verdict"
)

// Trace is an execution that shows that a property is violated: a shortest one for safety, one
// that ends in a cycle for liveness. Property names the property, N is the number of
// processes, Steps are the steps, Cycle is the index of the first step of the cycle, or -1,
// and End says in words what happens. String prints a column for each process, and Replay runs
// the trace on the compiled code. docs/checking.md has its JSON.
type Trace = trace.Trace

// Step is one step of a Trace: an access to shared memory by a process, the arrival in memory
// of a store from its buffer, or a decision of the process. Process, File and Line say where
// the step is made, Op, Register, Before and After say what it does, and Section and Turn say
// where the process is after it.
type Step = execution.Step

// Origin says where the lock of a Trace or a Schedule comes from: the Constructor, or the
// Algorithm of a List of a Package.
type Origin = source.Origin

// Schedule is an execution given by the process of each step: the lock of Origin, N processes
// and their Turns, such as "0,1,1,0". Replay runs it.
type Schedule = trace.Schedule

// InternalError is a fault of the checker and not of the lock: the checker's own code fails,
// or the interpreter and the compiled code of the lock disagree. The lock then has no report
// for N processes. Other reports stay valid.
type InternalError = source.InternalError

// TraceFormat is the format of a document of traces, whose results are the traces.
const TraceFormat = trace.Format

// ReadTraces reads a file of traces, as shmbench check -trace writes them.
func ReadTraces(file string) ([]*Trace, error) { return trace.Read(file) }

// IsSchedule reports whether a word begins like a schedule and not like the name of a file.
func IsSchedule(word string) bool { return trace.IsSchedule(word) }

// MaxProcs is the most processes that can be checked.
const MaxProcs = source.MaxProcs

// MaxPassages is the most passages of each process that can be asked for.
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
	Reentry                 = verdict.Reentry
	StrongStarvationFreedom = verdict.StrongStarvationFreedom
	BoundedReentry          = verdict.BoundedReentry
	BoundedRecovery         = verdict.BoundedRecovery
	BoundedExit             = verdict.BoundedExit
)

// InvariantNamed returns the property of an invariant of the lock, by its name.
func InvariantNamed(name string) string { return verdict.Invariant(name) }
