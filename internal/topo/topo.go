// Package topo describes the machine and the program that a measurement was
// made on and with.
package topo

import (
	"cmp"
	"fmt"
	"runtime"
	"strconv"
	"strings"

	"shmbench/internal/affinity"
)

// Pair is one line of a description: a key of the benchmark format and its
// value.
type Pair struct{ Key, Value string }

// unknown stands for values that the platform does not report.
const unknown = "unknown"

// Describe returns the description of this machine and program: goos, goarch,
// cpu, cores, caches, governor, kernel, affinity, gomaxprocs, go and commit. The
// first three are as package testing prints them, wherever it does.
func Describe() []Pair {
	return []Pair{
		{"goos", runtime.GOOS},
		{"goarch", runtime.GOARCH},
		{"cpu", or(cmp.Or(brand(), cpuModel()))},
		{"cores", strconv.Itoa(runtime.NumCPU())},
		{"caches", or(caches())},
		{"governor", or(governor())},
		{"kernel", or(kernel())},
		{"affinity", or(usable())},
		{"gomaxprocs", strconv.Itoa(runtime.GOMAXPROCS(0))},
		{"go", runtime.Version()},
		{"commit", or(commit())},
	}
}

func or(value string) string {
	if value == "" {
		return unknown
	}
	return value
}

// usable lists the processors that the program may use: "0 1 2".
func usable() string {
	cpus, err := affinity.CPUs()
	if err != nil {
		return ""
	}
	return strings.Trim(fmt.Sprint(cpus), "[]")
}
