package queue

import (
	"fmt"

	"shmbench/shm"
)

var clhInvariants = []shm.Invariant{
	// The number of locked nodes is the number of processes that have not yet released the lock.
	{Name: "locked", Source: craig, Holds: func(v shm.View) error {
		locked, busy := 0, v.N()-shm.In(v, shm.Remainder)
		for k := range v.N() + 1 {
			if v.Bool("node.locked", k) {
				locked++
			}
		}
		if locked != busy {
			return fmt.Errorf("nodes that are locked: %d, processes that are not done: %d", locked, busy)
		}
		return nil
	}},
	// The tail has the right to enter if and only if no process is in the queue.
	{Name: "tail", Source: craig, Holds: func(v shm.View) error {
		queued := shm.In(v, shm.Waiting, shm.Critical)
		if locked := v.Bool("node.locked", v.Int("tail")); locked != (queued > 0) {
			return fmt.Errorf("the tail has locked = %v, processes in the queue: %d", locked, queued)
		}
		return nil
	}},
}
