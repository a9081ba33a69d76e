package shm_test

import (
	"fmt"
	"sync"

	"shmbench/queue"
	"shmbench/shm"
)

// Goroutines come and go, and have no ids: they share a pool of four.
func ExamplePooled() {
	mcs, err := queue.NewMCS(4, shm.Packed, shm.Sequential)
	if err != nil {
		fmt.Println(err)
		return
	}
	lock := shm.Pooled(mcs, 4)
	visits := 0
	var all sync.WaitGroup
	for range 100 {
		all.Go(func() {
			lock.Lock()
			defer lock.Unlock()
			visits++
		})
	}
	all.Wait()
	fmt.Println(visits)
	// Output: 100
}

// Any number of goroutines wait on a sync.Cond, so it takes a pool.
func ExamplePooled_cond() {
	mcs, err := queue.NewMCS(2, shm.Packed, shm.Sequential)
	if err != nil {
		fmt.Println(err)
		return
	}
	changed := sync.NewCond(shm.Pooled(mcs, 2))
	var items []int
	sum := 0
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			changed.L.Lock()
			defer changed.L.Unlock()
			for len(items) == 0 {
				changed.Wait()
			}
			sum += items[0]
			items = items[1:]
		})
	}
	for i := 1; i <= 3; i++ {
		changed.L.Lock()
		items = append(items, i)
		changed.L.Unlock()
		changed.Signal()
	}
	all.Wait()
	fmt.Println(sum)
	// Output: 6
}

// A group of workers that stay the same needs no pool: each is a process.
func Example_workers() {
	const workers = 4
	lock, err := queue.NewMCS(workers, shm.Packed, shm.Sequential)
	if err != nil {
		fmt.Println(err)
		return
	}
	total := 0
	var all sync.WaitGroup
	for pid := range workers {
		all.Go(func() {
			for range 25 {
				lock.Lock(pid)
				total++
				lock.Unlock(pid)
			}
		})
	}
	all.Wait()
	fmt.Println(total)
	// Output: 100
}
