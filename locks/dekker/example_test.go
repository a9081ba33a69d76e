package dekker_test

import (
	"fmt"
	"sync"

	"shmbench/locks/dekker"
	"shmbench/shm"
)

func ExampleNewDekker() {
	lock, err := dekker.NewDekker(2, shm.Packed, shm.Sequential)
	if err != nil {
		panic(err)
	}
	counter := 0
	var wg sync.WaitGroup
	for i := range 2 {
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
	// Output: 200
}
