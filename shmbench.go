// Package shmbench has the source of the locks and of what is compiled together with
// them. The command shmbench carries it, so that it can read and compile the locks in
// every folder, and not only in a checkout.
package shmbench

import "embed"

// Source has the files of this module that a lock, or a program that runs a lock, is
// built from: go.mod, go.sum and the packages, with the tests of some. It also has the numbers
// of states that were found. Other modules get no use of it: use the packages instead.
//
// The patterns match no folder that begins with d, and none in internal that begins with t,
// because go:embed refuses distributed and internal/tools, which are modules of their own.
//
//go:embed go.mod go.sum LICENSE
//go:embed [^d]*/*.go locks/*/*.go shm/*/*.go catalog/*/*.go
//go:embed shm/*/*.s bench/*.json bench/forks/*.go bench/forks/robust/*.go locktest/oracle/*.go stress/kills/*.go predict/machines predict/compiled/*.go predict/compiled/locks/*.go
//go:embed internal/*/*.go internal/[^t]*/*/*.go internal/[^t]*/*/*.s internal/build/twin/perturb/*.go cmd/shmbench/stressed/*.go cmd/shmbench/stressed/program/*.go check/internal/*/*.go check/internal/replay/harness/*.go
//go:embed examples/mutex/*.go catalog/mutants/byhand/*.go results/states.tsv
var Source embed.FS
