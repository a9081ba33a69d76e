package locktest

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"time"

	"shmbench/internal/machine/affinity"
	"shmbench/internal/machine/clock"
	"shmbench/locktest/oracle"
)

// contentionPatience bounds the time for which a case waits for contended
// passages. A busy machine runs two processes at once only now and then, and a
// lock whose waiting processes sleep is seldom contended while its holder runs.
// With more processes than processors each handoff to a process that does not run costs
// a time slice of the operating system, so that a case makes few passages in any time.
// A machine with one processor never runs two processes at once.
const (
	contentionPatience          = 500 * time.Millisecond
	contentionPatienceCrowded   = 50 * time.Millisecond
	contentionPatienceProcessor = 10 * time.Millisecond
)

// One passage in contentionSample is timed to see whether it is contended. The
// others read no clock, which would keep a process from coming back to the lock
// as soon as it has left it. Processes meet in a lock without atomicity at about
// one in ten of the contended passages that are seen.
const contentionSample = 4

// contended lets the processes make passages through a critical section that
// shows overlaps, until half as many as the options name are seen to be
// contended, or for the patience. Processes that run one after another find a
// lock without any atomicity free each time, so that passages alone show
// nothing of it. Each process has a thread and, where it can, a processor, and
// none yields outside the lock.
func contended(s *suite, n int) error {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(max(n+1, runtime.GOMAXPROCS(0))))
	c, err := s.newCrew(n)
	if err != nil {
		return err
	}
	patience := contentionPatience
	switch cpus := runtime.NumCPU(); {
	case cpus == 1:
		patience = contentionPatienceProcessor
	case n > cpus:
		patience = contentionPatienceCrowded
	}
	d := &duel{crew: c, goal: uint64(s.o.Passages / 2), end: clock.Now() + int64(patience)}
	made := make([]uint64, n)
	cpus, _ := affinity.CPUs() // none where a program cannot choose
	for id := range n {
		rng := rand.New(rand.NewPCG(uint64(n), uint64(id)))
		c.start(id, func(p *process) error {
			if len(cpus) > 0 {
				if unpin, err := affinity.Pin(cpus[id%len(cpus)]); err == nil {
					defer unpin()
				}
			}
			for enough := false; !enough && !c.stop.Load(); made[id]++ {
				var err error
				if enough, err = d.pass(p, rng); err != nil {
					return err
				}
				spend(rng)
			}
			return nil
		})
	}
	if err := c.total(&d.section, made); err != nil {
		return err
	}
	if seen := d.contention.Count(); seen < d.goal {
		s.notes = append(s.notes, fmt.Sprintf("with %d processes %d passages were seen to be contended within %v, of %d that are wanted: "+
			"the machine is busy or has too few processors, or the waiting processes sleep", n, seen, patience, d.goal))
	}
	return nil
}

// duel is a crew that makes contended passages.
type duel struct {
	*crew
	section    oracle.Section
	contention oracle.Contention
	goal       uint64 // how many contended passages are to be seen
	end        int64  // when to end without them
}

// pass makes a passage of process p, and reports whether there have been enough.
func (d *duel) pass(p *process, rng *rand.Rand) (enough bool, err error) {
	if rng.IntN(contentionSample) > 0 {
		d.lockFor(p)
		err = d.section.Pass(p.id, func() { spend(rng) })
		d.unlockFor(p)
		return false, err
	}
	began := clock.Now()
	d.lockFor(p)
	enough = d.contention.Enter(p.id, began) >= d.goal || began > d.end
	err = d.section.Pass(p.id, func() { spend(rng) })
	d.contention.Leave(p.id, clock.Now())
	d.unlockFor(p)
	return enough, err
}

// spend passes a little time, or none, and never yields.
func spend(rng *rand.Rand) {
	if rng.IntN(2) == 0 {
		for range rng.IntN(100) {
			nothing()
		}
	}
}
