package gobench

import (
	"fmt"

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

// Value is a measured value and its unit.
type Value struct {
	Value float64
	Unit  string
}

// AppendLine appends a benchmark line with the end of the line: fields separated by
// tabs, as "go test" does and gobenchdata needs. The name is without "Benchmark".
func AppendLine(b []byte, name string, iterations uint64, values []Value) []byte {
	b = fmt.Appendf(b, "Benchmark%s\t%d", name, iterations)
	for _, v := range values {
		b = fmt.Appendf(b, "\t%v %s", v.Value, v.Unit)
	}
	return append(b, '\n')
}
