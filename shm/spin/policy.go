package spin

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
)

// Policy says what a process does while it waits. docs/waiting.md has the
// measurements behind the numbers.
type Policy uint8

const (
	// PauseYield is the default. Until pauses between its first 256 polls, and then yields to the
	// Go scheduler between polls. Pause, which cannot count polls, decides at random: it yields
	// once in 16 times, and otherwise pauses.
	PauseYield Policy = iota
	// Busy polls again at once: Pause does nothing.
	Busy
	// Paused pauses between any two polls, that is, executes the processor's
	// spin-wait hint (PAUSE on amd64, YIELD on arm64, nothing elsewhere). So
	// does Pause.
	Paused
	// Yielding yields to the Go scheduler between any two polls. So does Pause.
	Yielding
	// Turns is for more processes than processors. Until pauses between its first polls. Then
	// waiters poll in turns, the oldest first. At most as many poll at once as there are
	// processors minus one, and the others are parked. Pause yields.
	Turns
	// OSYield is for locks between processes of the operating system, to which a yield
	// to the Go scheduler gives nothing. Until pauses between its first 256 polls, or
	// between its first 8 if more processes run than processors (see Among). From then on
	// it yields to the operating system. Pause yields to it once in 16 times, and otherwise
	// pauses. Only Linux has this policy.
	OSYield
)

var policyNames = [...]string{PauseYield: "pause-yield", Busy: "busy", Paused: "pause", Yielding: "yield", Turns: "turns", OSYield: "os-yield"}

// pausesBeforeYield is how many polls of a wait pause before one yields: more
// than a hand-over between two running processes takes. pausesPerYield is how
// many calls of Pause there are, on average, to one that yields.
// pausesWhenCrowded is how many polls of a wait pause before one yields to the operating
// system if more processes run than processors.
const (
	pausesBeforeYield = 256
	pausesPerYield    = 16
	pausesWhenCrowded = 8
)

var (
	policy  atomic.Uint32         // a Policy; the zero value is PauseYield
	inTurns atomic.Pointer[turns] // set before policy is Turns
	among   atomic.Int64          // how many processes run, as Among was told; 0 if unknown
)

// Use sets the policy of every wait in the program. Call it while no process waits. A process
// that waits nevertheless, because a broken lock never lets it in, goes on by the old policy or
// by the new one.
func Use(p Policy) {
	inTurns.Store(new(turns))
	policy.Store(uint32(p))
}

// Among says how many processes run on the processors of this machine. Only the policy
// OSYield uses the number. Without a call of Among there are enough processors.
func Among(processes int) { among.Store(int64(processes)) }

// pausesBeforeOSYield returns how many polls of a wait pause before one yields to the
// operating system.
func pausesBeforeOSYield() int {
	if int(among.Load()) > runtime.NumCPU() {
		return pausesWhenCrowded
	}
	return pausesBeforeYield
}

// InUse returns the policy that Use set last.
func InUse() Policy { return Policy(policy.Load()) }

// String returns the name that ParsePolicy takes.
func (p Policy) String() string { return policyNames[p] }

// PolicyNames returns the names that ParsePolicy takes on this platform.
func PolicyNames() []string {
	if !hasOSYield {
		return policyNames[:OSYield]
	}
	return policyNames[:]
}

// ParsePolicy returns the policy called name.
func ParsePolicy(name string) (Policy, error) {
	if p := slices.Index(PolicyNames(), name); p >= 0 {
		return Policy(p), nil
	}
	return 0, fmt.Errorf("unknown waiting policy %q: the policies are %s", name, strings.Join(PolicyNames(), ", "))
}
