package fcfs_test

import (
	"fmt"
	"sync"

	"shmbench/locks/fcfs"
	"shmbench/shm"
	"shmbench/tas"
)

// A test-and-set lock is fair to no process. With a doorway before it, processes enter in
// the order in which they come.
func ExampleOver() {
	const n = 3
	lock, err := fcfs.Over(n, tas.TAS(shm.Sequential).New)
	if err != nil {
		panic(err)
	}
	counter := 0
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			for range 100 {
				lock.Lock(i)
				counter++
				lock.Unlock(i)
			}
		})
	}
	wg.Wait()
	fmt.Println(counter)
	// Output: 300
}
