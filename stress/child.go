package stress

import (
	"context"
	"runtime"
	"sync"
	"time"

	"shmbench/internal/run/goroutine"
	"shmbench/internal/run/supervise"
	"shmbench/shm"
	"shmbench/shm/region"
	"shmbench/shm/spin"
)

// ServeProcesses is called first in main: in a child of Test it is a process of the lock that
// find returns, and then ends the program. Otherwise it does nothing.
func ServeProcesses(ctx context.Context, find func(lock, topology string) (shm.Algorithm, error)) {
	supervise.Serve(ctx, processService, func(ctx context.Context, c supervise.Child, q between) (told, error) {
		a, err := find(q.Lock, q.Topology)
		if err != nil {
			return told{}, err
		}
		sh, err := region.Root[shared](c.Region, 0)
		if err != nil {
			return told{}, err
		}
		runtime.GOMAXPROCS(2) // one is for the looks
		r := &runner{a: a, n: sh.orders.stride.n, shared: sh, apart: true, idle: spin.Pause, modes: shm.Modes(sh.lock)}
		for id := range sh.orders.public {
			r.procs = append(r.procs, &process{id: id, public: &sh.orders.public[id]})
		}
		r.live(r.procs[c.Number])
		return r.tell(r.procs[c.Number]), nil
	})
}

// live carries out the orders of a stride as process p.
func (r *runner) live(p *process) {
	p.goroutine.Store(int64(goroutine.ID()))
	var looking sync.Mutex // while the phase changes, there is no look
	ended := make(chan struct{})
	defer close(ended)
	look := time.NewTicker(interval())
	defer look.Stop()
	active := []int(nil)
	go func() {
		for {
			select {
			case <-ended:
				return
			case <-look.C:
				looking.Lock()
				switch {
				case len(active) > 0 && r.mixed:
					r.lookForReaders(active)
				case len(active) > 0:
					r.markItself(p) // each process looks at itself
				}
				looking.Unlock()
				look.Reset(interval())
			}
		}
	}()
	for last := int64(0); ; {
		number := r.shared.orders.phase.Load()
		if number == over {
			return
		}
		if number == last {
			time.Sleep(20 * time.Microsecond)
			continue
		}
		last = number
		ph := r.shared.orders.stride.phases[number-1]
		if !ph.takes(p.id) {
			continue
		}
		spin.Use(ph.policy)
		looking.Lock()
		r.mixed = ph.mixed > 0
		if active = ph.active; r.mixed && ph.active[0] != p.id {
			active = nil // one process looks for readers
		}
		looking.Unlock()
		r.obey(p, order{phase: ph, seed: r.shared.orders.stride.seed + uint64(number-1), cpu: -1})
		looking.Lock()
		active = nil
		looking.Unlock()
		p.resting.Store(true)
		r.shared.orders.rests.Add(1)
	}
}

// tell returns what the parent is told.
func (r *runner) tell(p *process) told {
	r.tally.Lock()
	defer r.tally.Unlock()
	return told{Made: p.made, Looked: p.looked, Failed: p.failed, Counts: r.tally.counts, Firsts: r.tally.firsts}
}
