package mutants_test

import (
	"fmt"

	"shmbench/catalog/mutants"
)

// Each mutant says how it differs from its lock, and what an instrument must find.
func ExampleAll() {
	for _, m := range mutants.All() {
		if m.Of == "peterson/peterson" && m.Verdict == mutants.Safety {
			fmt.Printf("%s: %s; %s at n = %d\n", m.Name, m.Broken, m.Verdict, m.Procs)
			break
		}
	}
	// Output: mutants/peterson-turn-other: turn is set the wrong way round, so that a process lets itself in; safety at n = 2
}
