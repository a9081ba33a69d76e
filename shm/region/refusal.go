package region

import (
	"fmt"
	"reflect"
)

// A Refusal says that an object cannot be shared between processes.
type Refusal struct {
	Path string // the field, from the type of the object on: "*baseline.MutexLock.mu"
	Type string // of the field
	Why  string
}

// Error returns one line with the path, the type and the reason.
func (r *Refusal) Error() string {
	return fmt.Sprintf("%s (%s) cannot be shared between processes: %s", r.Path, r.Type, r.Why)
}

// The reasons of refusals.
const (
	whySync      = "package sync lets goroutines of one process wait"
	whyChannel   = "a channel connects goroutines of one process"
	whyMap       = "a map has a seed and memory of one process"
	whyFunc      = "a function may have variables of one process"
	whyUintptr   = "a nonzero uintptr may be an address of one process"
	whyUnsafe    = "what an unsafe.Pointer points to is unknown"
	whyType      = "the type was made while the program ran, and exists in one process"
	whySleeps    = "a process sleeps in the Go runtime or in the kernel until one of the same program wakes it (class opaque or futex)"
	whyRequests  = "a request is a function, which has variables of one process, and other processes execute it"
	whyAllocates = "a passage allocates memory in one process"
	whyOutside   = "the pointer leads out of the region, into memory of one process"
)

func refuse(path string, t reflect.Type, why string) *Refusal {
	return &Refusal{Path: path, Type: t.String(), Why: why}
}
