package knownbroken

import (
	"shmbench/locks/dekker"
	"shmbench/shm"
)

// dekkerRegular is Dekker's lock, unchanged, on registers that are not atomic: two reads
// during one write may return the new value and then the old one. Buhr, Dice and Hesselink
// made the lock safe for such registers.
var dekkerRegular = Lock{
	Algorithm: like(dekker.Dekker(shm.Packed, shm.Sequential), "knownbroken/dekker-regular", "Dekker's two-process lock on regular registers"),
	Read:      "locks/dekker/dekker.go of this repository",
	Claimed:   "starvation freedom; the source does not say what a read returns that overlaps a write",
	Property:  deadlock,
	Verdict:   "a process sees the other's flag go down and enters. It then sees the same flag still up, steps back, and waits for a turn that no process gives it.",
	Procs:     2,
	Memory:    Regular,
	Steps:     21,
	Fix:       "a process that waits for the turn also reads the other's flag, and no write repeats a value",
	Fixed:     "dekker/rwsafe",
}
