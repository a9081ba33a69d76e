// Package topo describes the machine and the program that a measurement was
// made on and with.
package topo

import (
	"cmp"
	"fmt"
	"runtime"
	"strconv"
	"strings"

	"shmbench/internal/machine/affinity"
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
		{"cpu", cmp.Or(brand(), cpuModel(), unknown)},
		{"cores", strconv.Itoa(runtime.NumCPU())},
		{"caches", cmp.Or(caches(), unknown)},
		{"governor", cmp.Or(governor(), unknown)},
		{"kernel", cmp.Or(kernel(), unknown)},
		{"affinity", cmp.Or(usable(), unknown)},
		{"gomaxprocs", strconv.Itoa(runtime.GOMAXPROCS(0))},
		{"go", runtime.Version()},
		{"commit", cmp.Or(commit(), unknown)},
	}
}

// usable lists the processors that the program may use: "0 1 2".
func usable() string {
	cpus, err := affinity.CPUs()
	if err != nil {
		return ""
	}
	return strings.Trim(fmt.Sprint(cpus), "[]")
}
