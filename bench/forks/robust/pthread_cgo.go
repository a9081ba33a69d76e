//go:build linux && cgo && pthread

package robust

// #cgo LDFLAGS: -lpthread
// #include <pthread.h>
// static int shared(pthread_mutex_t *m) {
//	pthread_mutexattr_t a;
//	int e = pthread_mutexattr_init(&a);
//	if (!e) e = pthread_mutexattr_setpshared(&a, PTHREAD_PROCESS_SHARED);
//	if (!e) e = pthread_mutex_init(m, &a);
//	return e;
// }
import "C"

import (
	"fmt"
	"runtime"
	"unsafe"

	"shmbench/shm"
)

// pthread is the specification of the mutex of the C library between processes.
var pthread = []shm.Algorithm{{
	Name: "baseline/pthread", Title: "Process-shared mutex of the C library",
	Source:   shm.Source{Author: "IEEE and The Open Group", Title: "POSIX, pthread_mutexattr_setpshared", Venue: "IEEE Std 1003.1", Year: 2017, Page: "1"},
	Class:    shm.CompareAndSwap | shm.Futex,
	MinProcs: 1, MaxProcs: shm.MaxProcs, Claims: shm.Claims{DeadlockFree: true},
	New: func(n int) (shm.Mutex, error) { return newPthread(n) },
}}

// pthreadMutex is a mutex of the C library. It has no pointers, and works where Put copies it.
// A passage has the time of two calls of C.
type pthreadMutex struct {
	_      shm.Pad
	mutex  [(unsafe.Sizeof(C.pthread_mutex_t{}) + 7) / 8]uint64
	_      shm.Pad
	pinned []padded // whether the goroutine of a process stays on its thread
}

type padded struct {
	_  shm.Pad
	is bool
	_  shm.Pad
}

func newPthread(n int) (shm.Mutex, error) {
	var c C.pthread_mutex_t
	if e := C.shared(&c); e != 0 {
		return nil, fmt.Errorf("pthread_mutex_init: error %d", e)
	}
	m := &pthreadMutex{pinned: make([]padded, n)}
	*m.c() = c
	return m, nil
}

func (m *pthreadMutex) c() *C.pthread_mutex_t { return (*C.pthread_mutex_t)(unsafe.Pointer(&m.mutex)) }

// Lock acquires the mutex for process i.
func (m *pthreadMutex) Lock(i int) {
	if p := &m.pinned[i]; !p.is {
		runtime.LockOSThread()
		p.is = true
	}
	if e := C.pthread_mutex_lock(m.c()); e != 0 {
		panic(fmt.Sprintf("robust: pthread_mutex_lock: error %d", e))
	}
}

// Unlock releases the mutex for process i.
func (m *pthreadMutex) Unlock(int) {
	if e := C.pthread_mutex_unlock(m.c()); e != 0 {
		panic(fmt.Sprintf("robust: pthread_mutex_unlock: error %d", e))
	}
}
