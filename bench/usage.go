package bench

import (
	"time"

	"shmbench/internal/machine/clock"
)

// usage is what the whole program has used, or used between two moments.
type usage struct {
	at       int64         // when it was taken
	wall     time.Duration // between the two moments
	cpu      time.Duration
	cpuKnown bool
	counters []uint64
}

func takeUsage(c *Counters) usage {
	u := usage{at: clock.Now(), counters: c.read()}
	u.cpu, u.cpuKnown = cpuTime()
	return u
}

// since returns what was used from before to u.
func (u usage) since(before usage) usage {
	d := usage{wall: time.Duration(u.at - before.at), cpu: u.cpu - before.cpu, cpuKnown: u.cpuKnown}
	for i := range u.counters {
		d.counters = append(d.counters, u.counters[i]-before.counters[i])
	}
	return d
}
