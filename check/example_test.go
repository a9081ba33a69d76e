package check_test

import (
	"context"
	"fmt"
	"log"

	"shmbench/check"
)

// A lock that tests and then sets is refuted, with a shortest execution in
// which both processes are in. In a test of a package of your own use check.Run.
func Example() {
	reports, err := check.Package(context.Background(), "shmbench/check/testdata/broken", "New", check.Options{N: []int{2}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(reports[0].Counterexample(check.MutualExclusion))
	// Output:
	// mutual exclusion is violated for n = 2: processes 0 and 1 are in their critical sections at once
	// step  process 0                 process 1                 source
	// 1     1  busy = false                                     check/testdata/broken/lock.go:14
	// 2                               1  busy = false           check/testdata/broken/lock.go:14
	// 3     2  busy := true [enters]                            check/testdata/broken/lock.go:16
	// 4                               2  busy := true [enters]  check/testdata/broken/lock.go:16
}
