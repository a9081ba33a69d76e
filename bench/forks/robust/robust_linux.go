// Package robust is the robust mutex of Linux, to compare the locks between processes of the
// operating system with. If a process dies in its critical section, the kernel unlocks the
// mutex, and the next process learns of the death.
//
// The mutex makes its system calls from Go, without a C library. In a program with a C
// library it takes the place of the library's own list of robust mutexes.
package robust

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"

	"shmbench/shm"
)

// Spec is the specification of the mutex. It is for processes of the operating system only.
var Spec = shm.Algorithm{
	Name:  "baseline/robust",
	Title: "Robust mutex of Linux",
	Source: shm.Source{
		Author: "Linux",
		Title:  "Robust futexes, Documentation/locking/robust-futex-ABI.rst",
		Venue:  "kernel.org",
		Year:   2006,
		Page:   "1",
	},
	Class:    shm.CompareAndSwap | shm.Swap | shm.Futex,
	MinProcs: 1,
	MaxProcs: shm.MaxProcs,
	Claims:   shm.Claims{DeadlockFree: true},
	New:      func(n int) (shm.Mutex, error) { return New(n), nil },
}

// The bits of the mutex's word beside the owner's thread number (linux/futex.h).
const (
	waiters = 1 << 31 // a process may sleep
	died    = 1 << 30 // the owner has died; set by the kernel
)

// The operations of the futex system call between processes.
const (
	wait = 0
	wake = 1
)

// Mutex is a robust mutex for processes 0..n-1. Each process is one of the operating system,
// and uses one mutex only. The mutex lies in a region. The kernel reads the head and the
// node of a process when its thread ends.
//
//	entry section:
//	   pending := node
//	   compare-and-swap the word from free, or from "owner died", to the thread's number
//	   else set its bit for waiters, and sleep while the word is unchanged
//	   list := node; pending := none
//	exit section:
//	   pending := node; list := empty
//	   if swap(word, free) has the bit for waiters then wake one
//	   pending := none
type Mutex struct {
	_     shm.Pad
	word  atomic.Uint32
	_     shm.Pad
	procs []proc
}

// proc is what the kernel knows of a process: robust_list_head of linux/futex.h and the only
// node of the list. Atomic stores keep their order for the kernel.
type proc struct {
	_       shm.Pad
	next    atomic.Uintptr // the first node, or the head itself
	offset  int            // from a node to the word
	pending atomic.Uintptr // the node that is coming or going
	node    atomic.Uintptr // its next is the head
	thread  uint32         // 0 before the first entry
	deaths  int            // of owners before it
	_       shm.Pad
}

// New returns a mutex for n processes.
func New(n int) *Mutex { return &Mutex{procs: make([]proc, n)} }

// begin tells the kernel where the list of this thread is, and keeps the goroutine on it.
func (m *Mutex) begin(p *proc) {
	runtime.LockOSThread()
	p.offset = int(uintptr(unsafe.Pointer(&m.word)) - uintptr(unsafe.Pointer(&p.node)))
	p.next.Store(uintptr(unsafe.Pointer(&p.next)))
	p.node.Store(uintptr(unsafe.Pointer(&p.next)))
	p.pending.Store(0)
	head := unsafe.Pointer(&p.next)
	size := unsafe.Offsetof(p.node) - unsafe.Offsetof(p.next)
	if _, _, errno := unix.Syscall(unix.SYS_SET_ROBUST_LIST, uintptr(head), size, 0); errno != 0 {
		panic(fmt.Sprintf("robust: set_robust_list: %v", errno))
	}
	p.thread = uint32(unix.Gettid())
}

// Lock acquires the mutex for process i.
func (m *Mutex) Lock(i int) {
	p := &m.procs[i]
	if p.thread == 0 {
		m.begin(p)
	}
	node := uintptr(unsafe.Pointer(&p.node))
	p.pending.Store(node)
	if !m.word.CompareAndSwap(0, p.thread) {
		m.contend(p)
	}
	p.next.Store(node)
	p.pending.Store(0)
}

// contend is Lock where the word is not free.
func (m *Mutex) contend(p *proc) {
	mine := p.thread
	for {
		switch v := m.word.Load(); {
		case v == 0 || v&died != 0:
			if m.word.CompareAndSwap(v, mine|v&waiters) {
				if v&died != 0 {
					p.deaths++
				}
				return
			}
		case v&waiters != 0 || m.word.CompareAndSwap(v, v|waiters):
			m.call(wait, v|waiters)
			mine |= waiters // others may sleep, too
		}
	}
}

// Unlock releases the mutex for process i.
func (m *Mutex) Unlock(i int) {
	p := &m.procs[i]
	p.pending.Store(uintptr(unsafe.Pointer(&p.node)))
	p.next.Store(uintptr(unsafe.Pointer(&p.next)))
	if m.word.Swap(0)&waiters != 0 {
		m.call(wake, 1)
	}
	p.pending.Store(0)
}

// Restart forgets the thread of process i, which has died.
func (m *Mutex) Restart(i int) { m.procs[i].thread = 0 }

// Deaths returns how often process i has entered after an owner that had died.
func (m *Mutex) Deaths(i int) int { return m.procs[i].deaths }

func (m *Mutex) call(op uintptr, value uint32) {
	_, _, errno := unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(&m.word)), op, uintptr(value), 0, 0, 0)
	if errno != 0 && errno != unix.EAGAIN && errno != unix.EINTR {
		panic(fmt.Sprintf("robust: futex: %v", errno))
	}
}
