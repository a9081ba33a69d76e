package szymanski_test

import (
	"fmt"
	"sync"

	"shmbench/locks/szymanski"
	"shmbench/shm"
)

func ExampleNewFlag() {
	const n = 3
	lock, err := szymanski.NewFlag(n, shm.Padded, shm.Sequential)
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
