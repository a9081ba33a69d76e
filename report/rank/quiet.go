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

// NotQuiet begins Report.Quiet if the machine was not quiet.
const NotQuiet = "The machine was NOT quiet"

// Noise says what took processors from a measurement, in words that begin a sentence: "other
// programs used 83 % of this machine". It is empty if so little was taken that the machine counts
// as quiet, or if the results do not say.
func Noise(results []*benchfmt.Result) string {
	others, stolen, _, _ := loads(results)
	switch o, s := mean(others), mean(stolen); {
	case o > quietOthers && o >= s:
		return "other programs used " + percent(o) + " of this machine"
	case s > quietStolen:
		return "the host took " + percent(s) + " of this machine's processor time"
	}
	return ""
}

// NoRecommendation is the answer where noise hides it.
func NoRecommendation(noise string) string {
	return "No recommendation: " + noise + ". Run it again when it is quiet."
}

// percent is a part as a percentage with two digits or more.
func percent(part float64) string {
	if part < 0.0995 {
		return fmt.Sprintf("%.1f %%", 100*part)
	}
	return fmt.Sprintf("%.0f %%", 100*part)
}

// loads are the parts of the processors' time that went to other programs and to the host, and
// the frequencies, where they are known, by round.
func loads(results []*benchfmt.Result) (others, stolen, slowest, fastest []float64) {
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
	return others, stolen, slowest, fastest
}

// quiet is the verdict on how quiet the machine was, with its reasons, empty if
// nothing is known.
func quiet(results []*benchfmt.Result, transfers []float64) string {
	others, stolen, slowest, fastest := loads(results)
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
		return NotQuiet + ": " + strings.Join(said, "; ") + "."
	}
	return "The machine was quiet: " + strings.Join(said, "; ") + "."
}

// mean is 0 of no values.
func mean(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}
