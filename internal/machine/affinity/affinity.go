// Package affinity binds goroutines to processors: it locks the goroutine to
// its thread and the thread to one processor.
package affinity

import (
	"errors"
	"fmt"
)

// ErrUnsupported says that this platform does not let a program choose its
// processors.
var ErrUnsupported = errors.New("pinning to processors is not supported on this platform")

// Enough returns an error unless there is a processor for each of n pinned
// processes.
func Enough(n int) error {
	cpus, err := CPUs()
	if err != nil {
		return err
	}
	if n > len(cpus) {
		return fmt.Errorf("cannot pin %d processes: this program may use %d processors", n, len(cpus))
	}
	return nil
}
