package elevator_test

import (
	"fmt"
	"sync"

	"shmbench/locks/elevator"
	"shmbench/shm"
)

func ExampleLinear() {
	const n = 3
	lock, err := elevator.Linear(shm.Padded, shm.Sequential).New(n)
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
