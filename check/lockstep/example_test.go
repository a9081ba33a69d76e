package lockstep_test

import (
	"context"
	"fmt"
	"log"

	"shmbench/catalog"
	"shmbench/check/lockstep"
)

// Processes 1 and 2 ask in round 1, and process 0 in round 2. The ticket lock serves them in
// the order of their requests.
func ExampleExecution() {
	spec, err := catalog.Get("queue/ticket")
	if err != nil {
		log.Fatal(err)
	}
	report, err := lockstep.Execution{N: 3, Lines: 5, CS: 2, Ask: map[int][]int{1: {2, 1}, 2: {0}}}.Run(context.Background(), spec)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("entries:", report.Entries)
	// Output: entries: [1 2 0]
}
