// Package deadline says how long a test waits for an event that must happen, but may be slow on a
// busy machine, and how often a test tries for an event that depends on chance.
package deadline

import (
	"testing"
	"time"
)

// Half returns half of the time that is left before the deadline of the test binary. The flag
// -timeout of "go test" sets the deadline; without one, Half returns an hour. A test that
// waits for so long fails with a message of its own, before package testing ends the binary.
func Half(t *testing.T) time.Duration {
	t.Helper()
	end, ok := t.Deadline()
	if !ok {
		return time.Hour
	}
	return time.Until(end) / 2
}
