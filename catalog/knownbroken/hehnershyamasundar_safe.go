package knownbroken

import (
	"shmbench/bakery"
	"shmbench/shm"
)

// hehnerShyamasundarSafe is Hehner and Shyamasundar's bakery, unchanged, on safe registers. A
// read of a ticket during a write may return infinity, which means that its process is in its
// remainder section. On regular registers the lock keeps its properties, within two passages
// of two and of three processes.
var hehnerShyamasundarSafe = Lock{
	Algorithm: like(bakery.HehnerShyamasundar(shm.Packed), "knownbroken/hehnershyamasundar-safe", "Hehner and Shyamasundar's bakery on safe registers"),
	Read:      "bakery/hehnershyamasundar.go of this repository",
	Claimed:   "mutual exclusion; the source does not say what a read returns that overlaps a write",
	Property:  exclusion,
	Verdict:   "a process reads infinity while the other's ticket is written, and enters before it.",
	Procs:     2,
	Memory:    Safe,
	Steps:     12,
	Fix:       "a separate register says that a process is choosing, as in Lamport's bakery",
	Fixed:     "bakery/lamport",
}
