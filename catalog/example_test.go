package catalog_test

import (
	"fmt"
	"log"

	"shmbench/catalog"
)

// A lock of the catalog is built by its name, for a number of processes.
func ExampleGet() {
	spec, err := catalog.Get("queue/ticket")
	if err != nil {
		log.Fatal(err)
	}
	lock, err := spec.New(2)
	if err != nil {
		log.Fatal(err)
	}
	lock.Lock(0)
	fmt.Println(spec.Title, "of", spec.Source.Year)
	lock.Unlock(0)
	// Output: Ticket lock of 1991
}
