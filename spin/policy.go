package spin

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
)

// Policy says what a process does while it waits. docs/waiting.md has the
// measurements behind the numbers.
type Policy uint8

const (
	// PauseYield is the default. Until pauses between its first 256 polls, and
	// from then on yields to the Go scheduler. Pause, which cannot count polls,
	// draws lots: it yields once in 16 times, and otherwise pauses.
	PauseYield Policy = iota
	// Busy polls again at once: Pause does nothing.
	Busy
	// Paused pauses between any two polls, that is, executes the processor's
	// spin-wait hint (PAUSE on amd64, YIELD on arm64, nothing elsewhere). So
	// does Pause.
	Paused
	// Yielding yields to the Go scheduler between any two polls. So does Pause.
	Yielding
	// Turns is for more processes than processors. Until pauses between its
	// first polls; then waiters poll in turns, the oldest first, as many at once
	// as there are processors but one, and the others are parked. Pause yields.
	Turns
)

var policyNames = [...]string{PauseYield: "pause-yield", Busy: "busy", Paused: "pause", Yielding: "yield", Turns: "turns"}

// pausesBeforeYield is how many polls of a wait pause before one yields: more
// than a hand-over between two running processes takes. pausesPerYield is how
// many calls of Pause there are, on average, to one that yields.
const (
	pausesBeforeYield = 256
	pausesPerYield    = 16
)

var (
	policy  atomic.Uint32         // a Policy; the zero value is PauseYield
	inTurns atomic.Pointer[turns] // set before policy is Turns
)

// Use sets the policy of every wait in the program. It is to be called while no
// process waits. One that waits nevertheless, because a broken lock never lets
// it in, goes on by the old policy or by the new one.
func Use(p Policy) {
	inTurns.Store(new(turns))
	policy.Store(uint32(p))
}

// InUse returns the policy that Use set last.
func InUse() Policy { return Policy(policy.Load()) }

// String returns the name that ParsePolicy takes.
func (p Policy) String() string { return policyNames[p] }

// PolicyNames returns the names that ParsePolicy takes.
func PolicyNames() []string { return policyNames[:] }

// ParsePolicy returns the policy called name.
func ParsePolicy(name string) (Policy, error) {
	if p := slices.Index(policyNames[:], name); p >= 0 {
		return Policy(p), nil
	}
	return 0, fmt.Errorf("unknown waiting policy %q: the policies are %s", name, strings.Join(policyNames[:], ", "))
}
