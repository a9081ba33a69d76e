package region

import (
	"fmt"
	"runtime/debug"
)

// A FaultError says that an access to a region failed: its file has become smaller while it
// was mapped.
type FaultError struct {
	Path    string
	Address uintptr
}

// Error names the file and the byte.
func (e *FaultError) Error() string {
	return fmt.Sprintf("region: %s: byte %d cannot be read or written: the file has been truncated while it was mapped", e.Path, e.Address-base)
}

// Guard calls f, and returns a *FaultError if an access of f to the region faults. A lock
// that f was in stays as it is, and no process should use it any more. Guard is for the
// goroutine that calls it; f must not rely on another goroutine's accesses.
func (r *Region) Guard(f func()) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		v := recover()
		if v == nil {
			return
		}
		fault, ok := v.(interface{ Addr() uintptr })
		if !ok || fault.Addr() < base || fault.Addr() >= base+r.size {
			panic(v)
		}
		err = &FaultError{r.path, fault.Addr()}
	}()
	f()
	return nil
}
