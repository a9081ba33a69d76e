package fcfs

import (
	"shmbench/locks/burns"
	"shmbench/shm"
)

// LycklamaBuhr returns the specification of LycklamaHadzilacosMutex in the form of P. A. Buhr's
// LycklamaBuhr.c (github.com/pabuhr/concurrent-locking), also over the one-bit lock:
// turn[i] is one register,
// which goes round from 0 to 2, instead of two bits that change in turn, and
//
//	3  turn[i] := (turn[i] + 1) mod 3
//
// On a safe register, a read during a write may return the third value. A process that copies
// this value waits, two passages later, for a process that waits for it: two processes can
// deadlock. With the two bits they cannot.
func LycklamaBuhr(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return over(burns.OneBit(layout, stores), shm.Algorithm{
		Name:   "fcfs/lycklamabuhr",
		Title:  "Lycklama and Hadzilacos's lock, its turns in one register, after Buhr",
		Source: lycklamaHadzilacos,
		Claims: served("5", shm.Weakest{Exclusion: shm.Safe, DeadlockFree: shm.Regular, StarvationFree: shm.Regular}),
		Space: shm.Space{
			{Name: "c", Count: shm.N, Values: shm.Const(2), SingleWriter: true},
			{Name: "v", Count: shm.N, Values: shm.Const(2), SingleWriter: true},
			{Name: "turn", Count: shm.N, Values: shm.Const(3), SingleWriter: true},
		},
	}, layout, stores, buildLycklamaBuhr)
}

// NewLycklamaBuhr returns the wrapper in Buhr's form for n processes over the lock
// that inner builds. It returns inner's error, or a *shm.ProcsError.
func NewLycklamaBuhr(n int, layout shm.Layout, stores shm.Stores, inner func(n int) (shm.Mutex, error)) (*LycklamaHadzilacosMutex, error) {
	return newOver[*LycklamaHadzilacosMutex]("fcfs/lycklamabuhr", n, layout, stores, inner, buildLycklamaBuhr)
}

func buildLycklamaBuhr(b shm.Build, inner shm.Mutex) shm.Mutex {
	l := buildLycklamaHadzilacos(b, inner).(*LycklamaHadzilacosMutex)
	l.word = true
	return l
}
