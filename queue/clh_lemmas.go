package queue

import (
	"fmt"

	"shmbench/shm"
)

var clhInvariants = []shm.Invariant{
	// Of the n+1 nodes, as many are locked as processes are not done.
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
	// The right to enter is at the tail if, and only if, no process is in the queue.
	{Name: "tail", Source: craig, Holds: func(v shm.View) error {
		queued := shm.In(v, shm.Waiting, shm.Critical)
		if locked := v.Bool("node.locked", v.Int("tail")); locked != (queued > 0) {
			return fmt.Errorf("the tail has locked = %v, processes in the queue: %d", locked, queued)
		}
		return nil
	}},
}
