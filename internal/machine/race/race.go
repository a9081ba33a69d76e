//go:build race

// Package race says whether the race detector is compiled in, under which
// everything takes many times as long.
package race

const Enabled = true
