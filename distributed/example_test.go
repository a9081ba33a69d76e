package distributed_test

import (
	"fmt"
	"log"

	"shmbench/distributed"
	"shmbench/distributed/catalog"
)

// A node is a state machine. Its answer to a request is a list of messages.
func ExampleNode() {
	algorithm, err := catalog.Find("ricart-agrawala")
	if err != nil {
		log.Fatal(err)
	}
	nodes, err := algorithm.New(distributed.Config{Nodes: 3, Threads: 1})
	if err != nil {
		log.Fatal(err)
	}
	var out distributed.Out
	nodes[0].Request(0, &out)
	for _, message := range out.Messages {
		fmt.Printf("%v from %d to %d\n", message.Kind, message.From, message.To)
	}
	// Output:
	// request from 0 to 1
	// request from 0 to 2
}
