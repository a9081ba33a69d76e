package shm_test

import (
	"context"
	"fmt"
	"sync"
	"time"

	"shmbench/catalog"
	"shmbench/locks/queue"
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

// A program builds a lock from its name in the catalog. The program needs an abortable lock.
func ExampleNew() {
	for _, name := range []string{"abort/mcstp", "queue/mcs"} {
		spec, err := catalog.Get(name)
		if err != nil {
			fmt.Println(err)
			return
		}
		lock, err := shm.New[shm.AbortableMutex](spec, 2)
		if err != nil {
			fmt.Println(err)
			continue
		}
		lock.Lock(0)
		ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
		fmt.Println(lock.LockUntil(1, func() bool { return ctx.Err() != nil }))
		cancel()
		lock.Unlock(0)
	}
	// Output:
	// false
	// queue/mcs: the lock is a *queue.MCSMutex, not a shm.AbortableMutex
}

// A test finds a call that the bare lock would not notice.
func ExampleChecked() {
	ticket, err := queue.NewTicket(2, shm.Packed, shm.Sequential)
	if err != nil {
		fmt.Println(err)
		return
	}
	lock := shm.Checked(ticket, 2)
	defer func() { fmt.Println(recover()) }()
	lock.Lock(0)
	lock.Unlock(1)
	// Output: shm: Unlock(1): process 1 is in its remainder section, not in its critical section
}
