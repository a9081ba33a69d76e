package shm

import (
	"fmt"
	"sync/atomic"
)

// Checked returns m, a lock for n processes, guarded against misuse: it
// panics with a plain message when an id is not in 0..n-1, when a process
// enters while it is in its entry, critical or exit section, and when a
// process leaves that is not in its critical section, or entered it in a mode that
// is left by another call. It has the modes of m.
func Checked(m Mutex, n int) Mutex {
	c := &checked{m: m, section: make([]atomic.Uint32, n), shared: make([]bool, n)}
	reader, tries, untils := is[RWMutex](m), is[TryMutex](m), is[AbortableMutex](m)
	switch {
	case reader && tries && untils:
		return struct {
			*checked
			checkedReader
			checkedTry
			checkedUntil
		}{c, checkedReader{c}, checkedTry{c}, checkedUntil{c}}
	case reader && tries:
		return struct {
			*checked
			checkedReader
			checkedTry
		}{c, checkedReader{c}, checkedTry{c}}
	case reader && untils:
		return struct {
			*checked
			checkedReader
			checkedUntil
		}{c, checkedReader{c}, checkedUntil{c}}
	case tries && untils:
		return struct {
			*checked
			checkedTry
			checkedUntil
		}{c, checkedTry{c}, checkedUntil{c}}
	case reader:
		return struct {
			*checked
			checkedReader
		}{c, checkedReader{c}}
	case tries:
		return struct {
			*checked
			checkedTry
		}{c, checkedTry{c}}
	case untils:
		return struct {
			*checked
			checkedUntil
		}{c, checkedUntil{c}}
	}
	return c
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

// What a checked lock has beside Lock and Unlock, if the lock has it.
type (
	checkedReader struct{ c *checked }
	checkedTry    struct{ c *checked }
	checkedUntil  struct{ c *checked }
)

func (c *checked) Lock(pid int)   { c.enter(Exclusive, pid, nil) }
func (c *checked) Unlock(pid int) { c.leave(Exclusive, pid) }

func (r checkedReader) RLock(pid int)   { r.c.enter(Shared, pid, nil) }
func (r checkedReader) RUnlock(pid int) { r.c.leave(Shared, pid) }

func (t checkedTry) TryLock(pid int) bool { return t.c.enter(Try, pid, nil) }

func (u checkedUntil) LockUntil(pid int, giveUp func() bool) bool {
	return u.c.enter(Until, pid, giveUp)
}

func (c *checked) enter(mode Mode, pid int, giveUp func() bool) bool {
	call, _ := mode.Calls()
	c.move(call, pid, remainder, entry)
	if !mode.Enter(c.m, pid, giveUp) {
		c.section[pid].Store(remainder)
		return false
	}
	c.shared[pid] = mode == Shared
	c.section[pid].Store(critical)
	return true
}

func (c *checked) leave(mode Mode, pid int) {
	_, call := mode.Calls()
	c.move(call, pid, critical, exit)
	if c.shared[pid] != (mode == Shared) {
		_, right := Shared.Calls()
		if mode == Shared {
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
