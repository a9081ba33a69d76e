package fast

import (
	"fmt"

	"shmbench/shm"
)

// open holds if the fast path is available again as soon as contention is over: while all
// processes are in their remainder sections, the word that tells which process is on the fast
// path says that it is free. YangAndersonMutex does not have this property.
func open(source shm.Source, word string, free func(int) bool, index ...int) []shm.Invariant {
	return []shm.Invariant{{Name: "open", Source: source, Holds: func(v shm.View) error {
		if value := v.Int(word, index...); shm.In(v, shm.Remainder) == v.N() && !free(value) {
			return fmt.Errorf("all processes are in their remainder sections, and %s = %d", word, value)
		}
		return nil
	}}}
}

// zero is y when it is free. Other values are ids.
func zero(y int) bool { return y == 0 }
