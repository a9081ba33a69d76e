//go:build !linux

package topo

func readTimes() Times { return Times{} }

// MHz returns 0: this platform does not tell.
func MHz() (slowest, fastest float64) { return 0, 0 }
