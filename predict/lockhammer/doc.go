// Package lockhammer holds the model of package predict against measurements of others. It has
// the programs of the benchmark suite lockhammer as access programs, and a fit of a machine's
// few parameters to two of them. It also has the errors of the predictions of all others.
// Source of the suite: ARM-software/synchronization-benchmarks, benchmarks/lockhammer.
package lockhammer
