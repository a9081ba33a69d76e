// Package crew shares work among goroutines.
//
// A goroutine that panics ends the program. The goroutines of this package do not: the caller
// that waits for them panics in their place, and may recover. If GOTRACEBACK is set, they do
// end the program, so that the stack of the panic is shown.
package crew

import (
	"os"
	"sync"
	"sync/atomic"
)

// Guarded reports whether panics are to be recovered from, and not to be shown with
// their stacks.
func Guarded() bool { return os.Getenv("GOTRACEBACK") == "" }

// Do has some workers, numbered from 0, do work at the same time, and waits until all
// have. The caller is worker 0. Do panics if a worker has.
func Do(workers int, work func(worker int)) {
	var failed atomic.Pointer[any] // what a worker has panicked with first
	share := func(worker int) {
		defer func() {
			if !Guarded() {
				return
			}
			if x := recover(); x != nil {
				failed.CompareAndSwap(nil, &x)
			}
		}()
		work(worker)
	}
	var others sync.WaitGroup
	for worker := 1; worker < workers; worker++ {
		others.Go(func() { share(worker) })
	}
	share(0)
	others.Wait()
	if x := failed.Load(); x != nil {
		panic(*x)
	}
}
