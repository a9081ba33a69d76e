//go:build !linux && !darwin

package topo

func cpuModel() string { return "" }
func caches() string   { return "" }
func governor() string { return "" }
func kernel() string   { return "" }

// memoryNode is 0: this platform does not tell.
func memoryNode(int) int { return 0 }
