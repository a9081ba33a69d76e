// Package onestep lets a test watch one process in a lock's entry section.
package onestep

import (
	"runtime"
	"testing"
	"time"

	"shmbench/internal/run/goroutine"
	"shmbench/shm"
)

// Process is a process that has called Lock.
type Process struct {
	m   shm.Mutex
	pid int
	id  int           // of its goroutine
	in  chan struct{} // closed when Lock returns
}

// Enter starts the entry section of process pid in a goroutine of its own.
func Enter(m shm.Mutex, pid int) *Process {
	p := &Process{m: m, pid: pid, in: make(chan struct{})}
	id := make(chan int)
	go func() {
		id <- goroutine.ID()
		m.Lock(pid)
		close(p.in)
	}()
	p.id = <-id
	return p
}

// looks is how often MustWait must see the process wait: a process on its way to a wait can be
// seen in one that is over at once.
const looks = 10

// MustWait returns when the process waits in its entry section: looks at its stack have found
// it waiting, so that it has come as far as it can. It fails the test if the process enters its
// critical section, or if it does neither for a minute. A lock that is right never fails here,
// however slow the machine.
func (p *Process) MustWait(t testing.TB) {
	t.Helper()
	for waits, end := 0, time.Now().Add(time.Minute); waits < looks; time.Sleep(10 * time.Microsecond) {
		select {
		case <-p.in:
			t.Fatalf("process %d entered, and should wait", p.pid)
		default:
		}
		stack := goroutine.Dump()[p.id]
		if stack.Waiting() || stack.State == "syscall" { // as in a futex
			waits++
		}
		if time.Now().After(end) {
			t.Fatalf("process %d neither waits nor enters: %s", p.pid, stack)
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
