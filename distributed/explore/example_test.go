package explore_test

import (
	"context"
	"fmt"
	"log"

	"shmbench/distributed"
	"shmbench/distributed/catalog"
	"shmbench/distributed/explore"
)

// All orders of messages of three nodes: no property is broken.
func ExampleExplore() {
	algorithm, err := catalog.Find("ricart-agrawala")
	if err != nil {
		log.Fatal(err)
	}
	nodes, err := algorithm.New(distributed.Config{Nodes: 3, Threads: 1})
	if err != nil {
		log.Fatal(err)
	}
	result, err := explore.Explore(context.Background(), explore.Model{Nodes: explore.Nodes(nodes), Threads: 1, Requests: 1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("violations:", len(result.Violations))
	// Output: violations: 0
}
