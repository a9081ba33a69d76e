package burns_test

import (
	"fmt"
	"sync"

	"shmbench/locks/burns"
	"shmbench/shm"
)

func ExampleNewBurnsLynch() {
	const n = 3
	lock, err := burns.NewBurnsLynch(n, shm.Padded, shm.Sequential)
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
