package rank_test

import (
	"fmt"
	"log"
	"os"

	"golang.org/x/perf/benchfmt"

	"shmbench/bench"
	"shmbench/report/rank"
)

// Samples in the Go benchmark format become a ranking. The first line is the answer.
func ExampleReport_WriteShort() {
	var results []*benchfmt.Result
	for _, ns := range []float64{10, 11, 12, 13, 14, 15} {
		for lock, times := range map[string]float64{"queue-mcs": 1, "queue-ticket": 3} {
			line := bench.Line{Name: fmt.Sprintf("Passage/alg=%s/procs=2/cs=0/ncs=0", lock), Iterations: 1, Values: []bench.Value{{Value: ns * times, Unit: "ns/op"}}}
			results = append(results, line.Result())
		}
	}
	ranking := rank.New(results)
	for _, row := range ranking.Tables[0].Rows {
		fmt.Printf("%s: %.1f ns a passage, %.1f times the best\n", row.Algorithm, row.NS.Center, row.Times)
	}
	if err := ranking.WriteShort(os.Stderr, "-long", rank.View{}); err != nil {
		log.Fatal(err)
	}
	// Output:
	// queue/mcs: 12.5 ns a passage, 1.0 times the best
	// queue/ticket: 37.5 ns a passage, 3.0 times the best
}
