package header

import (
	"golang.org/x/perf/benchfmt"
)

// Processors is the key of GOMAXPROCS.
const Processors = "gomaxprocs"

// Suffix returns what "go test" appends to the name of a benchmark that was
// measured with this GOMAXPROCS: "-8", and nothing for 1.
func Suffix(processors string) string {
	if processors == "1" {
		return ""
	}
	return "-" + processors
}

// SplitName returns a name without what Suffix appends, and the GOMAXPROCS that it
// says; empty if it says none.
func SplitName(name benchfmt.Name) (bare benchfmt.Name, processors string) {
	_, parts := name.Parts()
	if len(parts) == 0 {
		return name, ""
	}
	last := parts[len(parts)-1]
	if last[0] != '-' {
		return name, ""
	}
	return name[:len(name)-len(last)], string(last[1:])
}
