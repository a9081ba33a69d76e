package spin

import (
	"fmt"
	"strings"
)

// Policy says what a waiting process does between two polls.
type Policy uint8

const (
	// PauseYield pauses while the process waited for may be running, and then
	// yields, at first to the Go scheduler; where more processes wait than
	// there are processors, and pausing is seldom of use, to the process that
	// has waited longest. A loop that calls Pause yields to the scheduler now
	// and then, at random. It is the default: with more goroutines than
	// processors, a lock that never yields waits for a process that cannot
	// run.
	PauseYield Policy = iota
	// Busy polls again at once.
	Busy
	// Paused executes the processor's spin-wait hint (PAUSE on amd64, YIELD
	// on arm64, nothing elsewhere).
	Paused
	// Yielding yields to the Go scheduler after every poll.
	Yielding
)

var policyNames = [...]string{PauseYield: "pause-yield", Busy: "busy", Paused: "pause", Yielding: "yield"}

// pausesPerYield is how many calls of Pause there are, on average, to one that
// yields.
const pausesPerYield = 16

var policy = PauseYield

// Use sets the policy of every wait in the program, and forgets what earlier
// waits have shown of how long to pause. It must be called before the processes
// that wait are started.
func Use(p Policy) {
	policy = p
	vain.Store(0)
}

// InUse returns the policy that Use set last.
func InUse() Policy { return policy }

// String returns the name that ParsePolicy takes.
func (p Policy) String() string { return policyNames[p] }

// ParsePolicy returns the policy called name.
func ParsePolicy(name string) (Policy, error) {
	for p, n := range policyNames {
		if n == name {
			return Policy(p), nil
		}
	}
	return 0, fmt.Errorf("unknown waiting policy %q: the policies are %s", name, strings.Join(policyNames[:], ", "))
}
