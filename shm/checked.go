package shm

import (
	"fmt"
	"sync/atomic"
)

// Checked returns m, a lock for n processes, with checks for misuse. It panics with a plain
// message in three cases: an id is not in 0..n-1; a process enters while it is in its entry,
// critical or exit section; or a process leaves that is not in its critical section, or that
// entered it in a mode with another exit call. It has the modes of m. Checked itself panics
// unless n is at least 1.
func Checked(m Mutex, n int) Mutex {
	if n < 1 {
		panic(fmt.Sprintf("shm: Checked(m, %d): a lock has 1 process or more", n))
	}
	c := &checked{m: m, section: make([]atomic.Uint32, n), shared: make([]bool, n)}
	tries, untils := is[TryMutex](m), is[AbortableMutex](m)
	switch {
	case is[TryRWMutex](m):
		return c.withTryReader(tries, untils)
	case is[RWMutex](m):
		return c.withReader(tries, untils)
	}
	return c.withoutReader(tries, untils)
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
	shared  []bool // the process entered as a reader; its own
}

func (c *checked) Lock(pid int)   { c.enter(Exclusive, pid, nil) }
func (c *checked) Unlock(pid int) { c.leave(Exclusive, pid) }

func (c *checked) enter(mode Mode, pid int, giveUp func() bool) bool {
	call, _ := mode.Calls()
	c.move(call, pid, remainder, entry)
	if !mode.Enter(c.m, pid, giveUp) {
		c.section[pid].Store(remainder)
		return false
	}
	c.shared[pid] = mode.Reads()
	c.section[pid].Store(critical)
	return true
}

func (c *checked) leave(mode Mode, pid int) {
	_, call := mode.Calls()
	c.move(call, pid, critical, exit)
	if c.shared[pid] != mode.Reads() {
		_, right := Shared.Calls()
		if mode.Reads() {
			_, right = Exclusive.Calls()
		}
		panic(fmt.Sprintf("shm: %s(%d): process %d leaves this critical section by %s", call, pid, pid, right))
	}
	mode.Leave(c.m, pid)
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
