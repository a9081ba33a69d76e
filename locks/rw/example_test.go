package rw_test

import (
	"fmt"

	"shmbench/locks/rw"
	"shmbench/shm"
)

// Two readers are inside together, from one goroutine.
func ExamplePhaseFairMutex() {
	lock, err := rw.NewPhaseFair(3, shm.Padded, shm.Sequential)
	if err != nil {
		fmt.Println(err)
		return
	}
	lock.RLock(0)
	lock.RLock(1)
	fmt.Println("two readers")
	lock.RUnlock(0)
	lock.RUnlock(1)
	lock.Lock(2)
	fmt.Println("a writer")
	lock.Unlock(2)
	// Output:
	// two readers
	// a writer
}
