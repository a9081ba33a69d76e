//go:build !amd64

package topo

// brand is empty: only amd64 has an instruction that tells the processor's name.
func brand() string { return "" }
