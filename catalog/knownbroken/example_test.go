package knownbroken_test

import (
	"fmt"

	"shmbench/catalog/knownbroken"
)

// Each published error names its source, its least number of processes and its failure.
func ExampleAll() {
	for _, lock := range knownbroken.All() {
		if lock.Name == "knownbroken/hyman" {
			fmt.Printf("%s, %d: %s at n = %d, after %d steps\n", lock.Source.Author, lock.Source.Year, lock.Property, lock.Procs, lock.Steps)
		}
	}
	// Output: Harris Hyman, 1966: mutual exclusion at n = 2, after 7 steps
}
