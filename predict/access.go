package predict

// Op is the kind of a step of a process.
type Op uint8

// The steps. A Store includes its fence, as a store of sync/atomic does. A StoreRelease is
// posted: the process goes on, and the store drains after the stores posted before it.
const (
	Load Op = iota
	Store
	StoreRelease
	Swap
	CompareAndSwap
	Add
	And
	Or
	Work  // Time of work, more where a sibling is busy
	Idle  // Time, and Arg pauses, in which the core is left to its siblings
	Pause // the pause instruction
	Mark  // the process is at Arg, which costs nothing
	End   // the process ends
)

// The places of a Mark.
const (
	Try   = iota // it wants to enter
	Enter        // it is in its critical section
	Leave        // it begins to leave
	Rest         // it has left
)

// Time is a time in picoseconds, so that sums are exact on every platform.
type Time int64

// NS converts nanoseconds to a Time.
func NS(ns float64) Time { return Time(ns*1000 + 0.5) }

// NS returns the time in nanoseconds.
func (t Time) NS() float64 { return float64(t) / 1000 }

// Access is one step of a process.
type Access struct {
	Op   Op
	Word int32 // the register, as Engine.AddWord numbered it
	// Arg is the stored or added value, the expected value of a CompareAndSwap, or the place
	// of a Mark. New is the new value of a CompareAndSwap. In a Store, StoreRelease or Swap
	// of a part of the register, New has the bits that stay.
	Arg, New uint64
	Time     Time // of Work and Idle
	// Do, if it is not nil, makes a posted store when it drains. Until then a load of the
	// register by the same process is a hit, and the process itself knows the value.
	Do func()
	// Failed: the last compare-and-swap of the process failed. Only a process that keeps its own
	// registers sets it.
	Failed bool
}

// Process is a process of the engine. The engine calls Next when the previous step has taken
// effect, with the value that it returned: the loaded value; the old value of a Swap, And or
// Or; the new value of an Add; 1 or 0 for a CompareAndSwap. Next returns the next step. A
// process that keeps its own registers makes its access in Next before it runs on, and ignores
// the value.
type Process interface {
	Next(got uint64) Access
}
