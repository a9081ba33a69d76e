package abort_test

import (
	"fmt"

	"shmbench/locks/abort"
	"shmbench/shm"
)

// Process 1 gives up after three looks at a lock that process 0 has, and leaves nothing
// behind.
func ExampleCLHTryMutex_LockUntil() {
	lock, err := abort.NewCLHTry(2, shm.Padded)
	if err != nil {
		fmt.Println(err)
		return
	}
	looks := 0
	thrice := func() bool { looks++; return looks == 3 }
	lock.Lock(0)
	fmt.Println(lock.LockUntil(1, thrice), looks)
	lock.Unlock(0)
	fmt.Println(lock.LockUntil(1, thrice), looks)
	lock.Unlock(1)
	// Output:
	// false 3
	// true 3
}
