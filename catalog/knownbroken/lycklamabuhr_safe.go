package knownbroken

import (
	"shmbench/locks/fcfs"
	"shmbench/shm"
)

// lycklamaBuhrSafe is Lycklama and Hadzilacos's lock in Buhr's form on registers that are not
// atomic. The paper's turn is two bits, and a passage changes one of them, so that a read
// during the change returns the turn before or after it. Buhr's turn goes through three values
// in one word, and such a read may return the third.
var lycklamaBuhrSafe = Lock{
	Algorithm: like(fcfs.LycklamaBuhr(shm.Packed, shm.Sequential), "knownbroken/lycklamabuhr-safe",
		"Lycklama and Hadzilacos's lock with a turn in one word, on safe registers"),
	Read:     "LycklamaBuhr.c of github.com/pabuhr/concurrent-locking, f32f830, whose lock locks/fcfs/lycklamabuhr.go of this repository is",
	Claimed:  "the lock of the paper, which claims to keep all on registers that are not atomic, with values 0, 1, 2 for pairs of bits",
	Property: deadlock,
	Verdict:  "a process that reads turn during a write may copy the next value, and then two processes wait for each other.",
	Procs:    2,
	Memory:   Safe,
	Steps:    43,
	Fix:      "turn is two bits that change one at a time, as in the paper",
	Fixed:    "fcfs/lycklamahadzilacos",
}
