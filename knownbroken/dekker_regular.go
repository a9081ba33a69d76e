package knownbroken

import (
	"shmbench/dekker"
	"shmbench/shm"
)

// dekkerRegular is Dekker's lock, unchanged, on registers that are not atomic: two reads
// during one write may return the new value and then the old one. Buhr, Dice and Hesselink
// made the lock safe for such registers.
var dekkerRegular = Lock{
	Algorithm: like(dekker.Dekker(shm.Packed, shm.Sequential), "knownbroken/dekker-regular", "Dekker's two-process lock on regular registers"),
	Read:      "dekker/dekker.go of this repository",
	Claimed:   "freedom from lockout, with no word on what a read returns that overlaps a write",
	Property:  deadlock,
	Verdict:   "a process sees the other's flag go down and enters, then sees the same flag still up, steps back, and waits for a turn that nobody gives it.",
	Procs:     2,
	Memory:    Regular,
	Steps:     21,
	Fix:       "whoever waits for the turn also looks at the other's flag, and nothing is written that does not change",
	Fixed:     "dekker/rwsafe",
}
