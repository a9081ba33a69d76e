package knownbroken

import (
	"shmbench/locks/fast"
	"shmbench/shm"
)

// lamportUnfenced is Lamport's fast lock, unchanged, on a machine whose stores become visible
// late. The paper requires memory in which an access ends before the next one begins. With
// plain stores, as on x86, each of two processes still finds its own id in x.
var lamportUnfenced = Lock{
	Algorithm: like(fast.Lamport(shm.Packed, shm.Sequential), "knownbroken/lamport-fast-unfenced", "Lamport's fast lock with no fence"),
	Read:      "locks/fast/lamport.go of this repository, after fig. 2 of the paper",
	Claimed:   "mutual exclusion, where reads and writes are atomic and are made in the order of the program",
	Property:  exclusion,
	Verdict:   "both processes find y free and x unchanged, while the other's stores are still in its buffer.",
	Procs:     2,
	Memory:    Unfenced,
	Steps:     10,
	Fix:       "a fence behind the stores to x and to y, lines 2 and 6",
	Fixed:     "fast/lamport-released",
}
