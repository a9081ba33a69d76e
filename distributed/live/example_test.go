package live_test

import (
	"fmt"
	"log"
	"sync"
	"time"

	"shmbench/distributed"
	"shmbench/distributed/catalog"
	"shmbench/distributed/live"
)

// Two nodes, each a goroutine, give a sync.Locker to their threads.
func ExampleStart() {
	algorithm, err := catalog.Find("ricart-agrawala")
	if err != nil {
		log.Fatal(err)
	}
	system, err := live.Start(algorithm, distributed.Config{Nodes: 2, Threads: 1}, time.Second)
	if err != nil {
		log.Fatal(err)
	}
	defer system.Close()
	var both sync.WaitGroup
	sum := 0
	for node := range distributed.ID(2) {
		both.Go(func() {
			lock := system.Locker(node, 0)
			for range 100 {
				lock.Lock()
				sum++
				lock.Unlock()
			}
		})
	}
	both.Wait()
	fmt.Println(sum)
	// Output: 200
}
