package bench

import (
	"context"
	"fmt"
	"runtime"
	"sync/atomic"
	"time"

	"shmbench/internal/affinity"
	"shmbench/internal/clock"
	"shmbench/shm"
	"shmbench/spin"
)

// trial is one sample being taken: the processes and what they share.
type trial struct {
	lock     shm.Mutex
	workload Workload
	cs, ncs  int  // steps of work
	inside   bool // there is work in the critical section
	section  *section
	procs    []*process

	quota    uint64               // passages that close the counted window; 0: time does
	opened   [phases]int64        // when each phase was declared
	enough   [phases]atomic.Int32 // processes that made fewPassages in it
	atGate   atomic.Int32
	running  atomic.Int32
	gathered chan struct{} // closed when all processes are at the barrier
	started  chan struct{} // closed when all are past it
	closed   chan struct{} // closed when the quota is reached
	ended    chan error    // one value a process
	patience time.Duration // how long a step may take that cannot take long

	_     shm.Pad
	phase atomic.Uint32
	_     shm.Pad
}

func newTrial(a shm.Algorithm, w Workload, quota uint64) (*trial, error) {
	if err := w.Validate(); err != nil {
		return nil, err
	}
	lock, err := a.New(w.Procs)
	if err != nil {
		return nil, err
	}
	t := &trial{
		lock:     lock,
		workload: w,
		cs:       steps(w.CS),
		ncs:      steps(w.NCS),
		inside:   w.CS > 0 || w.Lines > 0,
		section:  newSection(logLength, w.Lines),
		procs:    make([]*process, w.Procs),
		quota:    quota,
		gathered: make(chan struct{}),
		started:  make(chan struct{}),
		closed:   make(chan struct{}),
		ended:    make(chan error, w.Procs),
		patience: patience,
	}
	for i := range t.procs {
		t.procs[i] = newProcess(i, w)
	}
	return t, nil
}

// start starts the processes, pinned to the processors in cpus if there are
// any. They wait at the barrier.
func (t *trial) start(cpus []int) {
	for i, p := range t.procs {
		go func() {
			if cpus == nil {
				p.run(t)
				t.ended <- nil
				return
			}
			unpin, err := affinity.Pin(cpus[i])
			p.run(t) // also if it could not be pinned, or the others wait
			if err == nil {
				unpin()
			}
			t.ended <- err
		}()
	}
}

// arrived is called by each process at the barrier, begun just behind it.
func (t *trial) arrived() {
	if int(t.atGate.Add(1)) == len(t.procs) {
		close(t.gathered)
	}
}

func (t *trial) begun() {
	if int(t.running.Add(1)) == len(t.procs) {
		close(t.started)
	}
}

// declare begins a phase.
func (t *trial) declare(phase uint32) {
	t.opened[phase] = clock.Now()
	t.phase.Store(phase)
}

// turn is called in the critical section by a passage that is the first of its
// process to see another phase than from, or that fills the quota. It returns
// the phase that the passage belongs to, and if it is the very first to see it,
// marks the edge.
func (t *trial) turn(p *process, from uint32, passage uint64) (now uint32) {
	s := t.section
	for {
		now = t.phase.Load()
		for phase := from + 1; phase <= now; phase++ {
			if s.edges[phase].at == 0 {
				s.edges[phase] = edge{clock.Now(), passage}
				if phase == counting && t.quota > 0 {
					s.last = passage + t.quota
				}
			}
		}
		if now != counting || passage != s.last {
			break
		}
		t.opened[ordering] = clock.Now()
		if t.phase.CompareAndSwap(counting, ordering) {
			close(t.closed)
		}
	}
	s.begun.Store(passage + 1)
	if now == ordering {
		s.log(p.pid)
	}
	if from < timing && now >= timing {
		// It was waiting when the timing window opened.
		w := wait{called: t.opened[timing], entered: clock.Now(), before: s.edges[timing].passage, passage: passage}
		if w.entered-w.called > int64(longWait) {
			p.waits.add(w, 0, t.windowEnd(now))
		}
	}
	return now
}

// longWait is what a wait across the opening of the timing window must have
// lasted in it to be noted.
const longWait = 5 * time.Microsecond

// windowEnd is where the timing window ends, as far as is known to a passage of
// the phase now.
func (t *trial) windowEnd(now uint32) edge {
	if now != over {
		return whole
	}
	return edge{t.opened[over], t.section.edges[over].passage}
}

// criticalWork is the work in the critical section.
func (t *trial) criticalWork(x uint64) uint64 {
	for i := range t.section.lines {
		t.section.lines[i].value++
	}
	return work(t.cs, x)
}

// patience is the usual patience: a process that does nothing but wait for the
// others for so long is stuck.
const patience = 30 * time.Second

// await waits until done is closed.
func (t *trial) await(ctx context.Context, done <-chan struct{}, what string) error {
	stuck := time.NewTimer(t.patience)
	defer stuck.Stop()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-stuck.C:
		return fmt.Errorf("after %v not all of %d processes have %s: the lock is stuck", t.patience, len(t.procs), what)
	}
}

// end ends the trial and waits for the processes.
func (t *trial) end() error {
	t.declare(over)
	stuck := time.NewTimer(t.patience)
	defer stuck.Stop()
	var failed error
	for left := len(t.procs); left > 0; left-- {
		select {
		case err := <-t.ended:
			if err != nil {
				failed = err
			}
		case <-stuck.C:
			return fmt.Errorf("%v after the end %d of %d processes are still in their entry or exit section: the lock is stuck",
				t.patience, left, len(t.procs))
		}
	}
	return failed
}

// check fails if the lock let two processes in at once.
func (t *trial) check() error {
	var passages, looked, met uint64
	for _, p := range t.procs {
		for _, n := range p.passages {
			passages += n
		}
		looked += p.looked
		met += p.met
	}
	if s := t.section; met > 0 || !s.exclusive(passages-looked) {
		return &BrokenError{Procs: len(t.procs), Passages: passages, Counted: s.before + looked, Met: s.met + met}
	}
	return nil
}

// A BrokenError says that a lock failed to exclude while it was measured.
type BrokenError struct {
	Procs    int
	Passages uint64 // that the processes made
	Counted  uint64 // of them, counted in the critical section
	Met      uint64 // in which a process saw that it was not alone
}

func (e *BrokenError) Error() string {
	return fmt.Sprintf("mutual exclusion is violated: %d processes made %d passages, of which the critical section counted %d, and met in %d",
		e.Procs, e.Passages, e.Counted, e.Met)
}

// settle makes it unlikely that a collection of earlier garbage runs during a
// trial, which itself makes none, and makes the waiting policy forget earlier
// trials: a process that is stuck in another's lock has no turn in this one. It
// is a variable for a test.
var settle = func() {
	runtime.GC()
	spin.Use(spin.InUse())
}
