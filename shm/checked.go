package shm

import (
	"fmt"
	"sync/atomic"
)

// Checked returns m, a lock for n processes, guarded against misuse: it
// panics with a plain message when an id is not in 0..n-1, when a process
// locks while it is in its entry, critical or exit section, and when a
// process unlocks that is not in its critical section.
func Checked(m Mutex, n int) Mutex {
	return &checked{m: m, section: make([]atomic.Uint32, n)}
}

// The sections of a process's cycle, in order.
const (
	remainder uint32 = iota
	entry
	critical
	exit
)

var sectionNames = [...]string{"remainder", "entry", "critical", "exit"}

type checked struct {
	_       NoCopy
	m       Mutex
	section []atomic.Uint32
}

func (c *checked) Lock(pid int) {
	c.move("Lock", pid, remainder, entry)
	c.m.Lock(pid)
	c.section[pid].Store(critical)
}

func (c *checked) Unlock(pid int) {
	c.move("Unlock", pid, critical, exit)
	c.m.Unlock(pid)
	c.section[pid].Store(remainder)
}

func (c *checked) move(call string, pid int, from, to uint32) {
	if pid < 0 || pid >= len(c.section) {
		panic(fmt.Sprintf("shm: %s(%d): process ids are 0 to %d", call, pid, len(c.section)-1))
	}
	if !c.section[pid].CompareAndSwap(from, to) {
		panic(fmt.Sprintf("shm: %s(%d): process %d is in its %s section, not in its %s section",
			call, pid, pid, sectionNames[c.section[pid].Load()], sectionNames[from]))
	}
}
