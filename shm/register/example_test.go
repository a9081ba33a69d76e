package register_test

import (
	"fmt"

	"shmbench/shm/register"
)

// A lock of one flag needs a sequentially consistent operation to enter. A release store is
// enough to leave: a process that reads the new value sees the whole critical section.
func ExampleBool() {
	var busy register.Bool
	for busy.Swap(true) {
	}
	fmt.Println("in the critical section:", busy.Load())
	busy.StoreRelease(false)
	fmt.Println("after it:", busy.Load())
	// Output:
	// in the critical section: true
	// after it: false
}
