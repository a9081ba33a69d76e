// Package onestep lets a test watch one process in a lock's entry section.
package onestep

import (
	"runtime"
	"testing"
	"time"

	"shmbench/shm"
)

// Process is a process that has called Lock.
type Process struct {
	m   shm.Mutex
	pid int
	in  chan struct{} // closed when Lock returns
}

// Enter starts the entry section of process pid in a goroutine of its own.
func Enter(m shm.Mutex, pid int) *Process {
	p := &Process{m: m, pid: pid, in: make(chan struct{})}
	go func() {
		m.Lock(pid)
		close(p.in)
	}()
	return p
}

// MustWait fails the test if the process enters its critical section although
// it is given many chances to. A lock that is right never fails here, however
// slow the machine.
func (p *Process) MustWait(t testing.TB) {
	t.Helper()
	for range 1000 {
		runtime.Gosched()
		select {
		case <-p.in:
			t.Fatalf("process %d entered, and should wait", p.pid)
		default:
		}
	}
}

// MustEnter returns when the process is in its critical section, and fails
// the test if that takes a minute.
func (p *Process) MustEnter(t testing.TB) {
	t.Helper()
	select {
	case <-p.in:
	case <-time.After(time.Minute):
		t.Fatalf("process %d waits, and should enter", p.pid)
	}
}

// Leave runs the exit section.
func (p *Process) Leave() { p.m.Unlock(p.pid) }

// Until returns when cond holds, and fails the test if that takes a minute.
func Until(t testing.TB, cond func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !cond(); runtime.Gosched() {
		if time.Now().After(end) {
			t.Fatal("the condition never held")
		}
	}
}
