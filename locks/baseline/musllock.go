package baseline

import (
	"shmbench/shm"
	"shmbench/shm/futex"
	"shmbench/shm/spin"
)

// Musl returns the specification of the lock that musl uses inside the C library.
func Musl() shm.Algorithm {
	return shm.Algorithm{
		Name:  "baseline/musllock",
		Title: "musl's lock with a congestion count",
		Source: shm.Source{
			Author: "Jens Gustedt",
			Title:  "src/thread/__lock.c",
			Venue:  "musl 1.1.19",
			Year:   2018,
		},
		Simplified: futex.Missing,
		Class:      shm.CompareAndSwap | shm.FetchAndAdd | shm.Futex,
		Claims:     shm.Claims{DeadlockFree: true},
		Space:      shm.Space{{Name: "l", Count: shm.Const(1), Values: muslValues}},
	}.Built(shm.Padded, shm.Sequential, buildMusl)
}

// muslValues is how many values the word takes: 1 to n processes while one holds the lock,
// and 0 to n-1 otherwise. With three processes, all n may be counted while none holds it.
var muslValues = shm.Formula{Text: "2n, and 2n+1 if n > 2", At: func(n int) int {
	if n > 2 {
		return 2*n + 1
	}
	return 2 * n
}}

const (
	muslPolls  = 10      // compare-and-swaps before a process counts itself
	muslLocked = 1 << 31 // the rest of the word counts processes
)

// MuslMutex is the lock that musl uses for its own data, such as the heap's: one word with
// a bit for the lock, and the number of the processes that hold the lock or wait for it.
//
// Source: src/thread/__lock.c of musl at commit 86373b49, of January 2018 (47d0bcd4), by
// Jens Gustedt.
//
// Registers: l, the bit and the number, changed by all.
//
// Properties: mutual exclusion, because a process enters only when it sets the bit. A
// process sleeps only if it is counted and the word has the bit. The exit section finds
// it in the count, and wakes a process. So no wake-up is lost. The exit section makes one
// access to the word and none after it, so that the next holder may free its memory. A
// process can starve, because others may enter before a process that was woken.
//
// There is no doorway.
//
//	entry section, where L is the bit:
//	1  c := compare-and-swap(l, 0, L+1), the old value; if c = 0 then enter
//	2  10 times: if c has L then c := c - L - 1;
//	             v := compare-and-swap(l, c, L+c+1), the old value; if v = c then enter; c := v
//	3  c := fetch-and-add(l, 1) + 1
//	4  repeat if c has L then sleep if l = c; c := c - L - 1
//	5      v := compare-and-swap(l, c, L+c), the old value; if v = c then enter; c := v
//	exit section:
//	6  if fetch-and-add(l, -(L+1)) is not L+1 then
//	7      wake one
//
// Deviations: musl skips the lock while the program has one thread. The model of the
// checker has one round of line 2 (package futex).
type MuslMutex struct {
	_     shm.NoCopy
	_     shm.Pad
	l     futex.Word
	polls int
	_     shm.Pad
}

// NewMusl returns musl's lock for n processes, or a *shm.ProcsError.
func NewMusl(n int) (*MuslMutex, error) {
	return shm.New[*MuslMutex](Musl(), n)
}

func buildMusl(shm.Build) shm.Mutex {
	m := &MuslMutex{polls: futex.Polls(muslPolls)}
	m.l.Init()
	return m
}

// Lock acquires the lock for process i.
func (m *MuslMutex) Lock(i int) {
	c := m.exchangeIf(0, muslLocked+1) // 1
	if c == 0 {
		return
	}
	for range m.polls {
		if c&muslLocked != 0 {
			c -= muslLocked + 1
		}
		v := m.exchangeIf(c, muslLocked+c+1) // 2
		if v == c {
			return
		}
		c = v
	}
	c = m.l.Add(1) // 3
	for {
		if c&muslLocked != 0 {
			m.l.Wait(i, c) // 4
			c -= muslLocked + 1
		}
		v := m.exchangeIf(c, muslLocked+c) // 5
		if v == c {
			return
		}
		c = v
		spin.Pause()
	}
}

// exchangeIf is a compare-and-swap that returns the old value.
func (m *MuslMutex) exchangeIf(old, v uint32) uint32 {
	return futex.CompareAndExchange(&m.l.Uint32, old, v)
}

// Unlock releases the lock for process i.
func (m *MuslMutex) Unlock(i int) {
	if m.l.Add(^uint32(muslLocked)) != 0 { // 6
		m.l.Wake(i) // 7
	}
}
