package topo

import "time"

// Times is what the kernel has counted up to a moment, over all processors.
type Times struct {
	at           time.Time
	busy, stolen time.Duration // stolen: by the host of a virtual machine
	own          time.Duration // of busy, this program's
	cpus         int
	known        bool
}

// Load is how much of the processors' time went elsewhere, as parts of all of it.
type Load struct {
	Others float64 // to other programs
	Stolen float64 // to other virtual machines
}

// ReadTimes returns what has been counted until now. Only Linux tells.
func ReadTimes() Times { return readTimes() }

// Since returns the load between two moments. It is false where the platform
// does not tell.
func (t Times) Since(before Times) (Load, bool) {
	all := float64(t.at.Sub(before.at)) * float64(t.cpus)
	if !t.known || !before.known || all <= 0 {
		return Load{}, false
	}
	others := (t.busy - before.busy) - (t.own - before.own)
	return Load{
		Others: max(0, float64(others)) / all,
		Stolen: float64(t.stolen-before.stolen) / all,
	}, true
}
