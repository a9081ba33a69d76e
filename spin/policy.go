package spin

import (
	"fmt"
	"strings"
)

// Policy says what a waiting process does between two polls.
type Policy uint8

const (
	// PauseYield pauses after the first polls of a wait and yields to the Go
	// scheduler after each further one; a loop that calls Pause yields now and
	// then, at random. It is the default: with more goroutines than
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

// pausesBeforeYield is how many polls of a wait pause before the rest yield:
// enough for a hand-over between two running processes, which a yield would
// only delay. pausesPerYield is how many calls of Pause there are, on average,
// to one that yields. results/README.md has the measurements behind the first.
const (
	pausesBeforeYield = 8
	pausesPerYield    = 16
)

var policy = PauseYield

// Use sets the policy of every wait in the program. It must be called before
// the processes that wait are started.
func Use(p Policy) { policy = p }

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
