package rank

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"

	"shmbench/bench"
)

// The limits within which a machine counts as quiet: what went to other programs
// and to other virtual machines, in the mean of all rounds; how far frequencies
// were apart; and how far the upper of the middle half of the transfers was from
// the lower.
const (
	quietOthers    = 0.05
	quietStolen    = 0.01
	quietMHz       = 1.05
	quietTransfers = 1.5
)

// quiet is the verdict on how quiet the machine was, with its reasons, empty if
// nothing is known.
func quiet(results []*benchfmt.Result, transfers []float64) string {
	var others, stolen, slowest, fastest []float64
	known := func(all []float64, v float64) []float64 {
		if v < 0 {
			return all
		}
		return append(all, v)
	}
	for _, r := range results {
		if q, ok := bench.ParseQuiet(r); ok {
			others, stolen = known(others, q.Others), known(stolen, q.Stolen)
			slowest, fastest = known(slowest, q.Slowest), known(fastest, q.Fastest)
		}
	}
	var said []string
	noisy := false
	say := func(bad bool, format string, args ...any) {
		said, noisy = append(said, fmt.Sprintf(format, args...)), noisy || bad
	}
	if others != nil {
		o, s := mean(others), mean(stolen)
		say(o > quietOthers, "%.1f%% of the processors' time went to other programs", 100*o)
		say(s > quietStolen, "%.1f%% was stolen by the host", 100*s)
	}
	if slowest != nil {
		low, high := slices.Min(slowest), slices.Max(fastest)
		say(high/low > quietMHz, "the processors ran at %.0f to %.0f MHz", low, high)
	} else if others != nil {
		say(false, "the frequencies are unknown")
	}
	if n := len(transfers); n >= 4 {
		slices.Sort(transfers)
		low, high := transfers[n/4], transfers[n-1-n/4]
		say(high/low > quietTransfers, "the middle half of %d transfers took %s to %s ns", n, number(low), number(high))
	}
	switch {
	case said == nil:
		return ""
	case noisy:
		return "The machine was NOT quiet: " + strings.Join(said, "; ") + "."
	}
	return "The machine was quiet: " + strings.Join(said, "; ") + "."
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}
