package predict

// Op is the kind of a step of a process.
type Op uint8

// The steps. A Store has its fence, as a store of sync/atomic has; a
// StoreRelease is posted: the process goes on, and the store drains behind those posted before it.
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

// The places that a Mark names.
const (
	Try   = iota // it wants to enter
	Enter        // it is in its critical section
	Leave        // it begins to leave
	Rest         // it has left
)

// Time is a time in picoseconds, so that sums are exact on every platform.
type Time int64

// NS returns a time that is given in nanoseconds.
func NS(ns float64) Time { return Time(ns*1000 + 0.5) }

// NS returns a time in nanoseconds.
func (t Time) NS() float64 { return float64(t) / 1000 }

// Access is one step of a process.
type Access struct {
	Op   Op
	Word int32 // the register, as Engine.AddWord numbered it
	// Arg is what is stored or added, or the expected value of a
	// CompareAndSwap, whose new value is New; the place of a Mark. In a
	// Store, StoreRelease or Swap of a part of the register New has the bits that stay.
	Arg, New uint64
	Time     Time // of Work and Idle
	// Do, if it is not nil, makes a posted store when it drains. Before that a load of the
	// register by the same process completes as a hit, whose value it has to know.
	Do func()
	// Failed says of a process whose registers are not the engine's that the
	// compare-and-swap that it has just made has failed.
	Failed bool
}

// Process is what the engine drives. Next is called when the step before has
// taken effect, with the value that it got: what was loaded, what the word held before a
// Swap, And or Or, what it holds after an Add, 1 or 0 for a CompareAndSwap. It returns
// the next step. A process whose registers are not the engine's makes its
// access in Next, before it runs on to the next one, and does not look at the value.
type Process interface {
	Next(got uint64) Access
}
