package stress_test

import (
	"context"
	"fmt"
	"time"

	"shmbench/locks/queue"
	"shmbench/shm"
	"shmbench/stress"
)

func ExampleTest() {
	report, err := stress.Test(context.Background(), queue.MCS(shm.Packed, shm.Sequential), stress.Options{
		Procs: []int{3}, Duration: 50 * time.Millisecond,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("forbidden outcomes:", report.Count(stress.Forbidden))
	// Output: forbidden outcomes: 0
}
