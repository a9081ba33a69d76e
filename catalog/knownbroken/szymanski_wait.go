package knownbroken

import (
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/spin"
)

// szymanskiWait is Szymański's lock of three bits with linear wait. On line 12 a process
// believes that the second door is open because of a process j with w[j] clear and s[j] set.
// It reads the two bits one after the other: it finds w[j] clear before j has set it, and s[j]
// set before j clears it on line 9. A process that came by lines 13 and 14 does not wait for
// processes between lines 12 and 13, though one of them may have a lower number.
var szymanskiWait = threeBits("knownbroken/szymanski-wait", "Szymański's three bits a process with linear wait",
	"Szymanski_3-bit_lin_wait.mcrl2", false, 36)

// szymanskiWaitAlt reads s[j] before w[j], which removes the first of the two faults and not
// the second.
var szymanskiWaitAlt = threeBits("knownbroken/szymanski-wait-alt", "Szymański's three bits a process with linear wait, reading s first",
	"Szymanski_3-bit_lin_wait_alt.mcrl2", true, 47)

func threeBits(name, title, model string, sFirst bool, steps int) Lock {
	return made(Lock{
		Algorithm: shm.Algorithm{
			Name:     name,
			Title:    title,
			Source:   linearWait,
			Class:    shm.ReadWrite,
			MinProcs: 1,
			MaxProcs: shm.MaxProcs,
			Claims:   shm.Claims{DeadlockFree: true, StarvationFree: true},
			Space: shm.Space{
				{Name: "a", Count: shm.N, Values: shm.Const(2), SingleWriter: true},
				{Name: "w", Count: shm.N, Values: shm.Const(2), SingleWriter: true},
				{Name: "s", Count: shm.N, Values: shm.Const(2), SingleWriter: true},
			},
		},
		Read:     mCRL2 + model + mCRL2Commit,
		Claimed:  "mutual exclusion and linear wait",
		Property: exclusion,
		Verdict:  "a process passes a second door that is not open, or that others with lower numbers have not passed yet.",
		Procs:    3,
		Memory:   Consistent,
		Steps:    steps,
		Fix:      "none was published; with s read first on line 12, and line 11 for all, three processes and four are right",
		Fixed:    "szymanski/mended",
	}, func(n int) shm.Mutex {
		return &szymanskiWaitLock{make([]atomic.Bool, n), make([]atomic.Bool, n), make([]atomic.Bool, n), sFirst}
	})
}

// szymanskiWaitLock:
//
//	entry section of process i:
//	1  a[i] := true
//	2  for all j: wait until s[j] = false
//	3  w[i] := true
//	4  a[i] := false
//	5  while s[i] = false:
//	6      if a[j] = false for all j then
//	7          s[i] := true
//	8          if a[j] = true for some j then
//	9              s[i] := false
//	           else
//	10             w[i] := false
//	11             for all j: wait until w[j] = false
//	       if line 6 or 8 has found a j then
//	12         if w[j] = false and s[j] = true for some j then
//	13             s[i] := true
//	14             w[i] := false
//	15 for j := 0 to i-1: wait until s[j] = false
//	exit section:
//	16 s[i] := false
type szymanskiWaitLock struct {
	a, w, s []atomic.Bool
	sFirst  bool
}

func (l *szymanskiWaitLock) Lock(i int) {
	l.a[i].Store(true) // 1
	for j := range l.s {
		spin.Until(func() bool { return !l.s[j].Load() }) // 2
	}
	l.w[i].Store(true)   // 3
	l.a[i].Store(false)  // 4
	for !l.s[i].Load() { // 5
		if !l.anyComing() { // 6
			l.s[i].Store(true)  // 7
			if !l.anyComing() { // 8
				l.w[i].Store(false) // 10
				for j := range l.w {
					spin.Until(func() bool { return !l.w[j].Load() }) // 11
				}
				continue
			}
			l.s[i].Store(false) // 9
		}
		if l.anyThrough() { // 12
			l.s[i].Store(true)  // 13
			l.w[i].Store(false) // 14
			continue
		}
		spin.Pause()
	}
	for j := range i {
		spin.Until(func() bool { return !l.s[j].Load() }) // 15
	}
}

// anyComing is the test of lines 6 and 8.
func (l *szymanskiWaitLock) anyComing() bool {
	for j := range l.a {
		if l.a[j].Load() { // 6, 8
			return true
		}
	}
	return false
}

// anyThrough is line 12.
func (l *szymanskiWaitLock) anyThrough() bool {
	for j := range l.w {
		if l.sFirst && l.s[j].Load() && !l.w[j].Load() { // 12
			return true
		}
		if !l.sFirst && !l.w[j].Load() && l.s[j].Load() { // 12
			return true
		}
	}
	return false
}

func (l *szymanskiWaitLock) Unlock(i int) {
	l.s[i].Store(false) // 16
}
