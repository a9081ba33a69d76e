package bench

import (
	"context"
	"fmt"
	"runtime"
	"sync/atomic"
	"time"

	"shmbench/internal/affinity"
	"shmbench/shm"
)

// trial is one sample being taken: the processes and what they share.
type trial struct {
	lock     shm.Mutex
	workload Workload
	cs, ncs  int // steps of work
	section  *section
	procs    []*process

	quota    uint64 // passages that close the counted window; 0: time does
	armed    atomic.Bool
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

// logLength is how many passages of the detailed window are remembered.
const logLength = 1 << 20

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
		section:  newSection(logLength),
		procs:    make([]*process, w.Procs),
		quota:    quota,
		gathered: make(chan struct{}),
		started:  make(chan struct{}),
		closed:   make(chan struct{}),
		ended:    make(chan error, w.Procs),
		patience: patience,
	}
	for i := range t.procs {
		t.procs[i] = newProcess(i)
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

// arm makes the first process that notices the counted window set the passage
// that will close it.
func (t *trial) arm(pid int) {
	if t.quota > 0 && t.armed.CompareAndSwap(false, true) {
		t.lock.Lock(pid)
		t.section.last = t.section.before + t.quota - 1
		t.lock.Unlock(pid)
	}
}

// closeWindow is called in the critical section, by the passage that fills the
// quota.
func (t *trial) closeWindow() {
	t.phase.CompareAndSwap(counting, detailing)
	close(t.closed)
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
	t.phase.Store(over)
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
	var passages uint64
	for _, p := range t.procs {
		for _, s := range p.spans {
			passages += s.passages
		}
	}
	if s := t.section; !s.exclusive(passages) {
		return &BrokenError{Procs: len(t.procs), Passages: passages, Counted: s.before, Met: s.met}
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
// trial; the trial itself makes none.
func settle() { runtime.GC() }
