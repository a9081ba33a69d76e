package stress

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"shmbench/internal/run/isolate"
	"shmbench/internal/run/supervise"
	"shmbench/shm/region"
	"shmbench/shm/spin"
)

// orders are what processes of the operating system are to do in a stride. They lie in the
// region.
type orders struct {
	stride stride
	public []public
	phase  atomic.Int64 // the phase that is on, counted from 1; over after the last
	rests  atomic.Int64 // processes that have carried out its order
}

// over is the phase after the last one.
const over = -1

// between is what is asked of a child.
type between struct{ Lock, Topology string }

// told is what a child answers at the end of a stride.
type told struct {
	Made, Looked, Failed uint64
	Counts               map[string]uint64
	Firsts               map[string]string
}

// processService is the service of the children.
const processService = "stress-process"

// strideApart is stride between processes of the operating system: each is a child for as
// long as the lock lives.
func (r *runner) strideApart(ctx context.Context, s stride) error {
	lock, err := r.a.New(s.n)
	if err != nil {
		return fmt.Errorf("New(%d): %w", s.n, err)
	}
	s.phases = suited(s.phases, r.processors)
	sh := newShared(lock)
	sh.orders = &orders{stride: s, public: make([]public, s.n)}
	size, err := region.Size(sh)
	if err != nil {
		return err
	}
	memory, err := region.New("", size)
	if err != nil {
		return err
	}
	defer memory.Close()
	if sh, err = region.Put(memory, sh); err != nil {
		return err
	}
	memory.Wait(spin.OSYield, s.n)
	r.n, r.shared = s.n, sh
	for i := range s.n {
		r.procs[i].public = &sh.orders.public[i]
	}
	defer r.detach(s.n)
	r.strides++
	// Canceled or not, the children end their phase.
	crew := supervise.New[between, told](context.WithoutCancel(ctx), memory, processService, s.n, r.died)
	defer crew.Stop()
	for i := range s.n {
		if err := crew.Start(i, between{r.a.Name, r.o.Topology}); err != nil {
			return err
		}
	}
	for i, ph := range s.phases {
		if r.endsApart(ctx) {
			break
		}
		r.phases++
		r.phaseApart(ctx, ph, int64(i)+1)
	}
	sh.orders.phase.Store(over)
	if r.stuck {
		// Children that rest tell what they have seen.
		crew.Wait(partingTime, func() error { return errParted })
		return r.whole()
	}
	if err := crew.Wait(time.Second, nil); err != nil {
		return err
	}
	if err := r.whole(); err != nil {
		return err
	}
	r.settle()
	return nil
}

// endsApart reports whether a stride between processes of the operating system has no
// further phase.
func (r *runner) endsApart(ctx context.Context) bool {
	return ctx.Err() != nil || r.strides > 1 && !r.goesOn() || r.stuck || r.stop.Load()
}

// partingTime is how long children that rest may take to answer, where others hang.
const partingTime = 500 * time.Millisecond

var (
	errParted = errors.New("the other processes hang")
	errKilled = errors.New("another program or the system killed a process of the test (SIGKILL): the lock was not tested to the end, run the test again")
)

// whole returns an error if another program killed a process, unless the lock was found wrong before.
func (r *runner) whole() error {
	if r.killed.Load() && r.tally.forbidden() == "" {
		return errKilled
	}
	return nil
}

// detach keeps what the report needs of the region, before it ends.
func (r *runner) detach(n int) {
	for _, p := range r.procs[:n] {
		kept := new(public)
		kept.at.Store(p.at.Load())
		p.public = kept
	}
	r.shared = newShared(nil)
}

// died takes the account of a child that has ended.
func (r *runner) died(_ *supervise.Supervisor[between, told], e supervise.End[told]) {
	var crash *isolate.Crash
	switch {
	case errors.As(e.Err, &crash) && crash.Killed() && !e.Killed:
		r.killed.Store(true)
		r.crashed.Store(true)
	case e.Err != nil && !e.Killed:
		r.tally.note(panicked, fmt.Sprintf("process %d ended: %v", e.Number, e.Err))
		r.crashed.Store(true)
	case e.Answer != nil:
		p := r.procs[e.Number]
		p.made, p.looked, p.failed = e.Answer.Made, e.Answer.Looked, e.Answer.Failed
		r.tally.add(e.Answer.Counts, e.Answer.Firsts)
	}
}

// suited returns the phases that make sense between processes of the operating system: the
// system stops them at any instruction, and shares the processors out.
func suited(phases []phase, processors int) (all []phase) {
	for _, ph := range phases {
		if ph.world == unfair {
			continue
		}
		ph.world = onThreads
		if crowded := len(ph.active) > processors; crowded || ph.policy != spin.Paused && ph.policy != spin.Busy {
			ph.policy = spin.OSYield
		}
		all = append(all, ph)
	}
	return all
}

// phaseApart lets children make their passages, and watches them.
func (r *runner) phaseApart(ctx context.Context, ph phase, number int64) {
	r.mixed = ph.mixed > 0
	r.ready.Store(0)
	r.enough.Store(false)
	r.orders.rests.Store(0)
	for _, id := range ph.active {
		r.procs[id].resting.Store(false)
	}
	r.orders.phase.Store(number)
	guard := newGuard(r, ph.active)
	tick := time.NewTicker(guard.Interval())
	defer tick.Stop()
	poll := time.NewTicker(200 * time.Microsecond)
	defer poll.Stop()
	limit := time.NewTimer(ph.limit())
	defer limit.Stop()
	done := ctx.Done()
	for int(r.orders.rests.Load()) < len(ph.active) {
		select {
		case <-poll.C:
			if r.crashed.Load() {
				r.stop.Store(true)
				r.stuck = true
				return
			}
		case <-limit.C:
			r.enough.Store(true)
		case <-done:
			done = nil
			r.stop.Store(true)
		case <-tick.C:
			if guard.giveUp() {
				r.stop.Store(true)
				r.stuck = true
				return
			}
		}
	}
}

// add adds what another process has noted.
func (t *tally) add(counts map[string]uint64, firsts map[string]string) {
	for _, k := range kinds {
		if n := counts[k.name]; n > 0 {
			t.note(k.name, firsts[k.name])
			t.Lock()
			t.counts[k.name] += n - 1
			t.Unlock()
		}
	}
}

// takes reports whether a process takes part in a phase.
func (ph phase) takes(id int) bool { return slices.Contains(ph.active, id) }
