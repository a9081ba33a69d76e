package report

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The page says of a delegate that it is measured by Execute, where it recommends it and on
// its own page, and of a recoverable lock that it is one.
func TestDelegatesAndRecoverableLocks(t *testing.T) {
	in := new(Input)
	in.Add("specs.json", []byte(strings.TrimSuffix(lockSpecs, "]}")+`,
		{"name": "delegation/ccsynch", "class": "swap", "max_procs": 8, "kinds": ["delegation"], "claims": {"fcfs": true, "starvation_free": true}},
		{"name": "recoverable/rtas", "class": "compare-and-swap", "max_procs": 8, "kinds": ["recoverable"]}]}`))
	in.Add("m/run.txt", []byte(text("A", []int{1, 2}, map[string]float64{"queue-mcs": 20, "delegation-ccsynch": 10, "recoverable-rtas": 40, "baseline-mutex": 30})))
	require.Contains(t, in.recommend(in.Runs[0]).Sentences[0], "Use delegation/ccsynch (by Execute) with at most as many goroutines as processors: ")
	page := plain(written(t, in))
	require.Contains(t, page, "By Execute: a process hands its critical section over as a function, which any process may run.")
	require.Contains(t, page, "By Execute, and not by Lock and Unlock: delegation/ccsynch.")
	kinds := map[string]string{}
	pages, _ := in.locks(nil)
	for _, p := range pages {
		for _, row := range p.Spec {
			if row[0] == "kind" {
				kinds[p.Name] = row[1]
			}
		}
	}
	require.Equal(t, map[string]string{
		"delegation/ccsynch": "delegation: run measures it by Execute. A process hands its critical section over as a function, which any process may run",
		"recoverable/rtas":   "recoverable: a process that crashes can continue its passage",
	}, kinds)
	_, known := in.choices()
	require.Contains(t, known["delegation/ccsynch"]["property"], "delegation")
	require.Contains(t, known["recoverable/rtas"]["property"], "recoverable")
	require.NotContains(t, known["recoverable/rtas"]["property"], "delegation")

	in = new(Input)
	in.Add("specs.json", []byte(lockSpecs))
	in.Add("m/run.txt", []byte(text("A", []int{1, 2}, map[string]float64{"queue-mcs": 20})))
	require.NotContains(t, plain(written(t, in)), "Execute", "no delegate was measured")
}
