// Package futex has the words on which the processes of a lock sleep. On Linux, a process
// sleeps in the futex system call. The checker replaces the system call with a model that
// consists of accesses to shared memory (type kernel). So the source of a lock is written
// once. On other systems a process that should sleep yields its processor.
//
// A lock initializes its words when it is built:
//
//	l.state.Init()
package futex

import (
	"runtime"
	"sync/atomic"

	"shmbench/shm/spin"
)

// Register is the name of the register in which the model has the state of the kernel. It
// is not a register of the lock.
const Register = "kernel"

var useModel bool

// UseModel makes Init and Polls use the model. It is to be called before any lock is built.
func UseModel() { useModel = true }

// modeled reports whether locks that are built now use the model. The checker answers
// this call in its own way: yes.
func modeled() bool { return useModel }

// Word is a word of 32 bits on which processes can sleep. It needs Init.
type Word struct {
	atomic.Uint32
	kernel *kernel // nil without the model
}

// Init initializes the word.
func (w *Word) Init() {
	if modeled() {
		w.kernel = new(kernel)
	}
}

// Wait makes process i sleep until another process wakes it, if the word has the value v.
// The comparison and the beginning of the sleep are one step. The process may also return
// without having been woken.
func (w *Word) Wait(i int, v uint32) {
	switch {
	case w.kernel != nil:
		w.kernel.sleep(i, func() bool { return w.Load() == v })
	case exists:
		wait(&w.Uint32, v)
	default:
		runtime.Gosched()
	}
}

// Wake wakes one process that sleeps, if there is one. Process i makes the call.
func (w *Word) Wake(i int) {
	switch {
	case w.kernel != nil:
		w.kernel.wake(i)
	case exists:
		wake(&w.Uint32)
	}
}

// CompareAndExchange stores v in the word if the word has the value old. It returns the value
// before, as C's atomic_compare_exchange does, and Go's CompareAndSwap does not.
func CompareAndExchange(w *atomic.Uint32, old, v uint32) (before uint32) {
	for !w.CompareAndSwap(old, v) {
		if before = w.Load(); before != old {
			return before
		}
		spin.Pause()
	}
	return old
}

// Token is a word on which one process sleeps until another process unparks it. It needs
// Init.
type Token struct{ parked Word }

// Init initializes the token.
func (t *Token) Init() { t.parked.Init() }

// Prepare comes before each Park. An Unpark between the two makes Park return at once.
func (t *Token) Prepare() { t.parked.Store(1) }

// Park makes process i sleep until another process calls Unpark.
func (t *Token) Park(i int) {
	for t.parked.Load() != 0 {
		t.parked.Wait(i, 1)
	}
}

// Unpark wakes the process that sleeps, or that is about to sleep. Process i makes the call.
func (t *Token) Unpark(i int) {
	t.parked.Store(0)
	t.parked.Wake(i)
}

// Polls returns how often a lock polls before it sleeps, if a program does so most times.
// In the model it is once: more polls need more states, and do nothing that one poll
// does not do.
func Polls(most int) int {
	if modeled() {
		return min(1, most)
	}
	return most
}
