package bench

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"

	"shmbench/internal/machine/topo"
	"shmbench/internal/results/gobench"
	"shmbench/shm/spin"
)

// announce prints what "go test -bench" does not say, once, before the first
// benchmark line. It prints which direction of each unit is better, and the facts
// that a file of "shmbench run" has. So benchstat can compare a file of "go test"
// with a file of "shmbench run".
var announce = sync.OnceFunc(func() {
	if f := flag.Lookup("test.bench"); f == nil || f.Value.String() == "" {
		return // it is testing.Benchmark, which prints nothing either
	}
	facts := factsOfGoTest(topo.Describe(), flag.Lookup("test.cpu").Value.String())
	if err := gobench.WriteHeader(os.Stdout, Directions, facts); err != nil {
		fmt.Fprintln(os.Stderr, "the header of the benchmarks:", err)
	}
})

// factsOfGoTest returns the facts about benchmarks of "go test" on a machine with the
// flag -cpu. Package testing prints goos, goarch and pkg. It also prints cpu, but not
// on every platform. GOMAXPROCS is the value of the flag. If the flag has several
// values, each benchmark name ends with its own value, and there is no such fact.
func factsOfGoTest(machine []topo.Pair, cpu string) []topo.Pair {
	facts := slices.DeleteFunc(slices.Clone(machine), func(f topo.Pair) bool {
		return f.Key == "goos" || f.Key == "goarch" || f.Key == gobench.Processors && strings.Contains(cpu, ",")
	})
	for i := range facts {
		if facts[i].Key == gobench.Processors && cpu != "" {
			facts[i].Value = cpu
		}
	}
	return append(facts, topo.Pair{Key: "wait", Value: spin.InUse().String()}, topo.Pair{Key: "pin", Value: "false"})
}
