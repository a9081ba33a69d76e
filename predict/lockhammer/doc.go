// Package lockhammer holds the model of package predict against what was
// measured elsewhere: the programs of the benchmark suite of that name as access programs, a
// fit of a machine's few parameters to two of them, and the errors of what is then
// predicted of all others. Source of the suite: ARM-software/synchronization-benchmarks,
// benchmarks/lockhammer.
package lockhammer
