package shm

// Delegate executes critical sections for processes. A process hands over its critical
// section as a function, and any process that is in Execute may run it.
type Delegate interface {
	// Execute runs f exactly once, between its call and its return, and returns the
	// result of f to process pid. No two of the functions run at the same time. A
	// function sees all that earlier ones wrote, and pid sees all that f wrote.
	//
	// f may run on the goroutine of another process. So f must not panic, must not call
	// Execute of the same delegate, and must not wait for another process.
	Execute(pid int, f func() uint64) uint64
}

// Delegating is a lock that is made of a delegate.
type Delegating interface {
	Mutex
	// Delegate returns the delegate. Its functions do not exclude critical sections of
	// Lock and Unlock.
	Delegate() Delegate
}

// Delegated returns the delegate that a lock is made of. For any other lock it returns
// the adapter: its Execute calls Lock, f and Unlock.
func Delegated(m Mutex) Delegate {
	if d, ok := m.(Delegating); ok {
		return d.Delegate()
	}
	return owner{m}
}

// owner is the adapter: each process runs its own functions.
type owner struct{ lock Mutex }

// Execute runs f in a critical section of the lock.
func (o owner) Execute(pid int, f func() uint64) uint64 {
	o.lock.Lock(pid)
	result := f()
	o.lock.Unlock(pid)
	return result
}

// Delegates reports whether the algorithm's lock is made of a delegate. It builds one to
// see.
func (a Algorithm) Delegates() bool {
	m, err := a.New(a.MinProcs)
	if err != nil {
		return false
	}
	_, ok := m.(Delegating)
	return ok
}
