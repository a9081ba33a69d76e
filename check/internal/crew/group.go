package crew

import (
	"os"
	"sync"
	"sync/atomic"
)

// A goroutine that panics ends the program. The goroutines of this package do not:
// who waits for them panics in their place, and may recover. So that the stack of
// the panic is not lost to who asks for it, they do end the program where
// GOTRACEBACK is set.

// Group is goroutines that are waited for together.
type Group struct {
	wg     sync.WaitGroup
	failed failure
}

// Go does work in a goroutine of its own.
func (g *Group) Go(work func()) {
	g.wg.Go(func() {
		defer g.failed.note()
		work()
	})
}

// Wait waits until all is done. It panics if a goroutine has.
func (g *Group) Wait() {
	g.wg.Wait()
	g.failed.pass()
}

// Guarded reports whether panics are to be recovered from, and not to be shown with
// their stacks.
func Guarded() bool { return os.Getenv("GOTRACEBACK") == "" }

// failure is what a goroutine has panicked with first, if one has.
type failure struct{ first atomic.Pointer[any] }

// note is deferred by a goroutine.
func (f *failure) note() {
	if !Guarded() {
		return
	}
	if x := recover(); x != nil {
		f.first.CompareAndSwap(nil, &x)
	}
}

// pass panics if a goroutine has.
func (f *failure) pass() {
	if x := f.first.Load(); x != nil {
		panic(*x)
	}
}
