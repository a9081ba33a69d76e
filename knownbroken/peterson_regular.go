package knownbroken

import (
	"shmbench/peterson"
	"shmbench/shm"
)

// petersonRegular is Peterson's lock, unchanged, on registers that are not atomic.
// Both processes write turn, and a regular register leaves open which of two
// overlapping writes is the last until both are over: the first to look sees the
// other's, and enters, and then that write is found to have come before its own.
var petersonRegular = Lock{
	Algorithm: like(peterson.Peterson(shm.Packed, shm.Sequential), "knownbroken/peterson-regular", "Peterson's two-process lock on regular registers"),
	Read:      "peterson/peterson.go of this repository, after the paper, p. 115-116",
	Claimed:   "mutual exclusion, with no word on what a read returns that overlaps a write",
	Property:  exclusion,
	Verdict:   "of two overlapping writes of turn one is seen as the last, and then the other is.",
	Procs:     2,
	Memory:    Regular,
	Steps:     12,
	Fix:       "turn is an atomic register",
	Fixed:     "peterson/peterson",
}
