package peterson

import (
	"fmt"

	"shmbench/shm"
)

var petersonInvariants = []shm.Invariant{
	{Name: "q", Source: myths, Holds: func(v shm.View) error {
		for i := range v.N() {
			if q := v.Bool("q", i); q != (v.Section(i) != shm.Remainder) {
				return fmt.Errorf("process %d has q[%d] = %v in its %v section", i, i, q, v.Section(i))
			}
		}
		return nil
	}},
	// If both processes compete, the one that waits wrote turn last.
	{Name: "turn", Source: myths, Holds: func(v shm.View) error {
		for i := range v.N() {
			inside := v.N() == 2 && v.Section(1-i) == shm.Critical
			if turn := v.Int("turn"); inside && v.Section(i) == shm.Waiting && turn != i {
				return fmt.Errorf("process %d is in its critical section, process %d waits, and turn = %d", 1-i, i, turn)
			}
		}
		return nil
	}},
}
