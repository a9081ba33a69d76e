package sim_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"shmbench/distributed"
	"shmbench/distributed/catalog"
	"shmbench/distributed/sim"
)

// Ricart and Agrawala's algorithm sends 2(n-1) messages for each entry.
func ExampleRun() {
	algorithm, err := catalog.Find("ricart-agrawala")
	if err != nil {
		log.Fatal(err)
	}
	result, err := sim.Run(context.Background(), sim.Options{
		Algorithm: algorithm,
		System:    distributed.Config{Nodes: 5, Threads: 1},
		Load:      sim.Poisson(1),
		Section:   sim.Fixed(time.Millisecond),
		Delay:     sim.Exponential(10 * time.Millisecond),
		Entries:   1000,
		Seed:      1,
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.1f messages an entry\n", result.MessagesPerEntry.Mean)
	// Output: 8.0 messages an entry
}
