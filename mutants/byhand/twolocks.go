package byhand

import (
	"shmbench/examples/mutex"
	"shmbench/shm"
	"shmbench/tas"
)

// twoLocks are made of two locks of the catalogue, and so no edit of one of them.
var twoLocks = []Mutant{
	mutate(tas.TAS(shm.Sequential), "two-locks-opposite", "two locks for one, which odd processes take in the opposite order", Deadlock, 2, mutex.TwoLocksOpposite).with(twoBits),
	mutate(tas.TAS(shm.Sequential), "two-locks-in-order", "two locks for one, which all take in one order and leave in the reverse", Equivalent, 1, mutex.TwoLocksInOrder).with(twoBits),
}

var twoBits = shm.Space{{Name: "m", Count: shm.Const(2), Values: shm.Const(2)}}
