package knownbroken

import (
	"shmbench/locks/queue"
	"shmbench/shm"
)

// mcsK42 is K42's form of MCS. Its waiting processes are served in the order of the list. But
// they enter the list by a compare-and-swap in a loop, and not by MCS's swap.
var mcsK42 = Lock{
	Algorithm: like(queue.MCSK42(shm.Packed, shm.Sequential), "knownbroken/mcs-k42", "K42's MCS"),
	Read:      "locks/queue/mcsk42.go of this repository, after Scott, Shared-Memory Synchronization, figure 4.10",
	Claimed:   "the properties of MCS, with a node only while a process waits",
	Property:  starvation,
	Verdict:   "each time that a process tries to take the free lock or to join the queue, another process has changed the tail.",
	Procs:     2,
	Memory:    Consistent,
	Steps:     7,
	Fix:       "a process gets into the list by a swap, which cannot fail",
	Fixed:     "queue/mcs",
}
