package knownbroken

import (
	"shmbench/locks/queue"
	"shmbench/shm"
)

// mcsSwap is the MCS lock for machines without compare-and-swap, which is in the same paper as
// MCS. Its authors say that it neither keeps the order nor excludes starvation in theory. This
// entry shows how two other processes take turns to starve a process.
var mcsSwap = Lock{
	Algorithm: like(queue.MCSSwap(shm.Packed, shm.Sequential), "knownbroken/mcs-swap", "MCS without compare-and-swap"),
	Read:      "locks/queue/mcsswap.go of this repository, after the paper, p. 32",
	Claimed:   "mutual exclusion and deadlock freedom; the source calls starvation a matter of theory",
	Property:  starvation,
	Verdict:   "two processes alternately arrive between the two swaps of the other's exit section, and the third process waits forever.",
	Procs:     3,
	Memory:    Consistent,
	Steps:     27,
	Fix:       "a compare-and-swap empties the list only if no process has arrived",
	Fixed:     "queue/mcs",
}
