package bench

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/perf/benchfmt"

	"shmbench/locks/baseline"
)

// The first words of benchmark names, after "Benchmark".
const (
	passageName = "Passage"
	machineName = "Machine"
)

// Name returns the benchmark name of a lock under this workload, without
// "Benchmark": "Passage/alg=bakery-lamport/procs=4/cs=0/ncs=0". Times are in ns.
func (w Workload) Name(algorithm string) string { return passageName + "/" + w.subname(algorithm) }

func (w Workload) subname(algorithm string) string {
	return "alg=" + strings.ReplaceAll(algorithm, "/", "-") + "/" + strings.Join(w.parts(), "/")
}

// String returns the workload as "procs=4 cs=0 ncs=0". Times are in ns.
func (w Workload) String() string { return strings.Join(w.parts(), " ") }

func (w Workload) parts() []string {
	parts := []string{
		fmt.Sprintf("procs=%d", w.Procs),
		fmt.Sprintf("cs=%d", w.CS.Nanoseconds()),
		fmt.Sprintf("ncs=%d", w.NCS.Nanoseconds()),
	}
	if w.Lines > 0 {
		parts = append(parts, fmt.Sprintf("lines=%d", w.Lines))
	}
	if w.Rate > 0 {
		parts = append(parts, "rate="+strconv.FormatFloat(w.Rate, 'g', -1, 64))
	}
	if w.Readers > 0 {
		parts = append(parts, "readers="+strconv.FormatFloat(w.Readers, 'g', -1, 64))
	}
	if w.Execute {
		parts = append(parts, "execute=1")
	}
	if w.Kills > 0 {
		parts = append(parts, "kills="+strconv.FormatFloat(w.Kills, 'g', -1, 64))
	}
	if w.Touch {
		parts = append(parts, "touch=1")
	}
	return parts
}

// ParseName returns the algorithm and the workload in a name that Workload.Name
// made, with or without the "-8" that "go test" appends. It returns false for other
// names.
func ParseName(name benchfmt.Name) (algorithm string, w Workload, ok bool) {
	base, parts := name.Parts()
	if string(base) != passageName {
		return "", Workload{}, false
	}
	for _, part := range parts {
		key, value, _ := strings.Cut(strings.TrimPrefix(string(part), "/"), "=")
		number, err := strconv.ParseFloat(value, 64)
		switch key {
		case "alg":
			// No family name contains a "-". So the first "-" stands for the "/".
			algorithm, err = strings.Replace(value, "-", "/", 1), nil
		case "procs":
			w.Procs = int(number)
		case "cs":
			w.CS = time.Duration(number)
		case "ncs":
			w.NCS = time.Duration(number)
		case "lines":
			w.Lines = int(number)
		case "rate":
			w.Rate = number
		case "readers":
			w.Readers = number
		case "execute":
			w.Execute = number != 0
		case "kills":
			w.Kills = number
		case "touch":
			w.Touch = number != 0
		default:
			continue // from another version, or what "go test" appends
		}
		if err != nil {
			return "", Workload{}, false
		}
	}
	return algorithm, w, algorithm != ""
}

// Name returns the benchmark name of the cost, without "Benchmark".
func (c Cost) Name() string { return machineName + "/op=" + c.Op }

// ParseCost returns the operation in a name that Cost.Name made. It returns false
// for other names.
func ParseCost(name benchfmt.Name) (op string, ok bool) {
	base, parts := name.Parts()
	if string(base) != machineName {
		return "", false
	}
	i := slices.IndexFunc(parts, func(p []byte) bool { return strings.HasPrefix(string(p), "/op=") })
	if i < 0 {
		return "", false
	}
	return strings.TrimPrefix(string(parts[i]), "/op="), true
}

// IsNull reports whether an algorithm is the null lock, which measures the harness.
func IsNull(algorithm string) bool { return algorithm == baseline.Null.Name }

// AboutMachine reports whether a benchmark measures the machine or the harness
// rather than a lock.
func AboutMachine(name benchfmt.Name) bool {
	_, machine := ParseCost(name)
	algorithm, _, _ := ParseName(name)
	return machine || IsNull(algorithm) || string(name.Base()) == quietName
}
