package knownbroken

import (
	"shmbench/peterson"
	"shmbench/shm"
)

// petersonRegular is Peterson's lock, unchanged, on registers that are not atomic. Both
// processes write turn, and the order of two overlapping writes to a regular register is open
// until both are over. The first process to read sees the other's write, and enters. Then that
// write turns out to have come before its own.
var petersonRegular = Lock{
	Algorithm: like(peterson.Peterson(shm.Packed, shm.Sequential), "knownbroken/peterson-regular", "Peterson's two-process lock on regular registers"),
	Read:      "peterson/peterson.go of this repository, after the paper, p. 115-116",
	Claimed:   "mutual exclusion; the source does not say what a read returns that overlaps a write",
	Property:  exclusion,
	Verdict:   "two writes of turn overlap: first one of them appears to be the last, and then the other one.",
	Procs:     2,
	Memory:    Regular,
	Steps:     12,
	Fix:       "turn is an atomic register",
	Fixed:     "peterson/peterson",
}
