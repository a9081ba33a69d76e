package bench

import (
	"cmp"
	"context"
	"strings"
	"time"

	"shmbench/internal/machine/affinity"
	"shmbench/internal/run/supervise"
	"shmbench/shm"
	"shmbench/shm/region"
	"shmbench/shm/spin"
)

// processes is the suffix of the name of a lock that is measured between processes of
// the operating system.
const processes = "-processes"

// BetweenProcesses returns a variant of an algorithm. Measure measures this variant
// between processes of the operating system, in a shared region, and not between
// goroutines. The name of the variant says so, so that no table pools its results with
// those between goroutines. The program must call ServeProcesses.
func BetweenProcesses(a shm.Algorithm) shm.Algorithm {
	a.VariantOf = cmp.Or(a.VariantOf, a.Name) // the variant does the same as the original
	a.Name += processes
	return a
}

// Between returns the name of a lock in the catalog, and whether it is measured between
// processes of the operating system.
func Between(name string) (plain string, apart bool) { return strings.CutSuffix(name, processes) }

// ProcessPolicy returns the waiting policy that processes of the operating system use where
// goroutines use p. A yield to the Go scheduler gives nothing to another process.
func ProcessPolicy(p spin.Policy) spin.Policy {
	if p == spin.PauseYield {
		return spin.OSYield
	}
	return p
}

// processService is the name of the service that the children answer.
const processService = "process"

// ServeProcesses must be called first in main. In a child of Measure, it runs a process of a
// sample and then ends the program. Otherwise it does nothing.
func ServeProcesses(ctx context.Context) {
	serveKilled(ctx)
	supervise.Serve(ctx, processService, func(_ context.Context, c supervise.Child, cpu int) (struct{}, error) {
		shared, err := region.Root[common](c.Region, 0)
		if err != nil {
			return struct{}{}, err
		}
		if cpu >= 0 {
			unpin, err := affinity.Pin(cpu)
			if err != nil {
				return struct{}{}, err
			}
			defer unpin()
		}
		t := &trial{common: shared, idle: spin.Pause, gathered: make(chan struct{}), started: make(chan struct{})}
		p := t.procs[c.Number]
		p.run(t)
		p.done.Store(true)
		return struct{}{}, nil
	})
}

// spread puts what the processes share into a region, and starts a child for each process,
// as start does for goroutines. The caller must call stop, which ends the children and the
// region. The trial cannot be used after stop.
func (t *trial) spread(ctx context.Context, cpus []int) (stop func(), err error) {
	size, err := region.Size(t.common)
	if err != nil {
		return nil, err
	}
	r, err := region.New("", size)
	if err != nil {
		return nil, err
	}
	policy := spin.InUse()
	if t.common, err = region.Put(r, t.common); err != nil {
		r.Close()
		return nil, err
	}
	t.apart = true
	r.Wait(ProcessPolicy(policy), len(t.procs))
	polling, done := context.WithCancel(ctx)
	crew := supervise.New(polling, r, processService, len(t.procs), func(_ *supervise.Supervisor[int, struct{}], e supervise.End[struct{}]) {
		if e.Err != nil {
			t.crashed <- e.Err
		}
		t.ended <- e.Err
	})
	polled := make(chan struct{})
	go func() {
		defer close(polled)
		t.follow(polling)
	}()
	stop = func() {
		done()
		crew.Stop()
		<-polled
		spin.Use(policy)
		r.Close()
	}
	for i := range t.procs {
		cpu := -1
		if cpus != nil {
			cpu = cpus[i]
		}
		if err := crew.Start(i, cpu); err != nil {
			stop()
			return nil, err
		}
	}
	return stop, nil
}

// follow closes the channels of the trial when the children have reached the barrier, and
// when they have passed it.
func (t *trial) follow(ctx context.Context) {
	tick := time.NewTicker(100 * time.Microsecond)
	defer tick.Stop()
	for ctx.Err() == nil {
		<-tick.C
		if int(t.atGate.Load()) == len(t.procs) {
			break
		}
	}
	if ctx.Err() == nil {
		close(t.gathered)
	}
	for ctx.Err() == nil {
		<-tick.C
		if int(t.running.Load()) == len(t.procs) {
			close(t.started)
			return
		}
	}
}
