package bounds

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// values are worst cases by number of processes.
type values map[int]int

// String returns the values as "12, 20 for n = 2, 3".
func (v values) String() string {
	var bounds, procs []string
	for _, n := range slices.Sorted(maps.Keys(v)) {
		bounds, procs = append(bounds, fmt.Sprint(v[n])), append(procs, fmt.Sprint(n))
	}
	return strings.Join(bounds, ", ") + " for n = " + strings.Join(procs, ", ")
}

// measured has the most remote memory references of a passage with write-back caches, of the locks
// with a published bound and no formula. A test checks the locks again.
var measured = map[string]values{
	"delegation/ccsynch": {2: 26}, // three processes have more than 3 million states
}
