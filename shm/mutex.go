// Package shm is the contract between mutual exclusion algorithms and the
// instruments that check, stress and measure them: the lock interface, the
// machine-readable specification of an algorithm, and the layout of its registers.
package shm

// MaxProcs is the most processes that any lock of this module is built for.
const MaxProcs = 1024

// Mutex is an n-process lock. Processes are numbered 0..n-1. A process holds
// one id at a time and two processes never use the same id at once; which
// goroutine acts for a process may change between calls.
//
// A constructor, or New, builds a lock for a number of processes. Do not use the zero value of a
// lock, and do not copy a lock. Most locks do not notice misuse, such as an Unlock without a Lock:
// two processes may then enter at once, or the lock may hang. Checked panics instead.
//
// In the terminology of the Go memory model, the k-th Unlock of a Mutex
// synchronizes before the return of the Lock that enters next.
type Mutex interface {
	// Lock acquires the lock for process pid. It is the entry section.
	Lock(pid int)
	// Unlock releases the lock for process pid. It is the exit section.
	Unlock(pid int)
}

// NoCopy makes "go vet" report copies of the struct that has it as a field.
// Vet finds locks by a Lock method without arguments, which a Mutex lacks.
type NoCopy struct{}

// Lock and Unlock are what vet looks for; nothing calls them.
func (*NoCopy) Lock()   {}
func (*NoCopy) Unlock() {}
