package bench

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"time"

	"shmbench/internal/machine/affinity"
	"shmbench/internal/machine/clock"
	"shmbench/shm"
	"shmbench/shm/spin"
)

// common is what the processes of a trial share. Between processes of the operating system
// it lies in a region: see spread.
type common struct {
	lock     shm.Mutex
	workload Workload
	cs, ncs  int  // steps of work
	inside   bool // there is work in the critical section
	section  *section
	procs    []*process

	opened  [phases]int64        // when each phase was declared
	enough  [phases]atomic.Int32 // processes that made fewPassages in it
	atGate  atomic.Int32
	running atomic.Int32

	_     shm.Pad
	phase atomic.Uint32
	_     shm.Pad
}

// trial is one sample being taken: what the processes share, and what this process of the
// operating system knows of it.
type trial struct {
	*common
	quota    uint64        // passages of the counted window at least; 0: none
	least    time.Duration // it is not closed before
	gathered chan struct{} // closed when all processes are at the barrier
	started  chan struct{} // closed when all are past it
	isFull   atomic.Bool   // the quota is reached
	filled   chan struct{} // closed when it is
	heap     *heapUse      // where it is to be noted, or nil
	ended    chan error    // one value a process
	idle     func()        // lets others run
	apart    bool          // the processes are those of the operating system
	crashed  chan error    // errors of processes that ended before the trial
}

func newTrial(a shm.Algorithm, w Workload) (*trial, error) {
	if err := w.Validate(); err != nil {
		return nil, err
	}
	if err := a.Validate(); err != nil {
		return nil, err
	}
	if err := shm.CheckProcs(a.Name, w.Procs, a.MinProcs, a.MaxProcs); err != nil {
		return nil, err
	}
	lock, err := a.New(w.Procs)
	if err == nil && lock == nil {
		err = fmt.Errorf("%s: New(%d) returned neither a lock nor an error", a.Name, w.Procs)
	}
	if err != nil {
		return nil, err
	}
	t := &trial{
		common: &common{
			lock:     lock,
			workload: w,
			cs:       steps(w.CS),
			ncs:      steps(w.NCS),
			inside:   w.CS > 0 || w.Lines > 0,
			section:  newSection(logLength, w.Lines),
			procs:    make([]*process, w.Procs),
		},
		idle:     runtime.Gosched,
		gathered: make(chan struct{}),
		started:  make(chan struct{}),
		filled:   make(chan struct{}),
		crashed:  make(chan error, w.Procs),
		ended:    make(chan error, w.Procs),
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
			err := error(&ExitError{Process: i})
			// Deferred, because a lock may end the goroutine.
			defer func() {
				if r := recover(); r != nil {
					panic(r) // the program ends, and no one is to say before that a goroutine has ended
				}
				p.done.Store(true)
				if errors.As(err, new(*ExitError)) {
					t.crashed <- err
				}
				t.ended <- err
			}()
			unpin, pinned := func() {}, error(nil)
			if cpus != nil {
				unpin, pinned = affinity.Pin(cpus[i])
			}
			p.run(t) // also if it could not be pinned, or the others wait
			if pinned == nil {
				unpin()
			}
			err = pinned
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
				t.mark(phase, passage)
			}
		}
		if now != counting || passage < s.last {
			break
		}
		t.fill()
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

// mark is called by the first passage that sees a phase.
func (t *trial) mark(phase uint32, passage uint64) {
	if t.heap != nil && phase == counting {
		t.heap.opened = takeHeap()
	}
	t.section.edges[phase] = edge{clock.Now(), passage}
	if t.heap != nil && phase == ordering {
		t.heap.closed = takeHeap()
	}
	if phase == counting && t.quota > 0 {
		t.section.last = passage + t.quota
	}
}

// fill is called by the passage behind the one that reached the quota. It closes the
// counted window, unless that is too short yet: then the conductor closes it.
func (t *trial) fill() {
	s, at := t.section, clock.Now()
	s.last = never
	if t.isFull.Swap(true) {
		return // the lock has let two in
	}
	if time.Duration(at-s.edges[counting].at) >= t.least {
		t.opened[ordering] = at
		t.phase.CompareAndSwap(counting, ordering)
	}
	close(t.filled)
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

// moves is a number that changes as long as processes go on. They write the words
// that it reads without knowing of it: a value that is torn or old is still another
// one, and so the race detector is told to look away.
//
//go:norace
func (t *trial) moves() uint64 {
	n := t.section.before + uint64(t.atGate.Load()) + uint64(t.running.Load())
	for _, p := range t.procs {
		n += p.all()
		if p.done.Load() {
			n++
		}
	}
	return n
}

// met reports whether processes have met in the critical section so far. It reads as
// moves does.
//
//go:norace
func (t *trial) met() bool { return t.section.met > 0 }

// An ExitError says that a lock ended the goroutine of a process.
type ExitError struct{ Process int }

func (e *ExitError) Error() string {
	return fmt.Sprintf("the lock ended the goroutine of process %d by runtime.Goexit, as t.FailNow and package require do: a lock must return or panic", e.Process)
}

// parting is how long processes may take to end once the measurement is canceled.
const parting = 500 * time.Millisecond

// end ends the trial and waits for the processes. Where it returns an error of the
// lock or of ctx it has left them behind.
func (t *trial) end(ctx context.Context, g *guard) error {
	t.declare(over)
	canceled, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(parting, cancel) })()
	var failed error
	for left := len(t.procs); left > 0; left-- {
		err, stuck := await(canceled, g, t.ended)
		if stuck != nil {
			t.abandon(left)
			return stuck
		}
		if err != nil {
			failed = err
		}
	}
	return failed
}

// check fails if the lock let two processes in at once.
func (t *trial) check() error {
	var passages, unchecked, met uint64
	for _, p := range t.procs {
		passages += p.all()
		unchecked += p.looked
		if t.workload.Touch {
			unchecked += p.passages[warmingUp] + p.passages[counting]
		}
		met += p.met
	}
	if s := t.section; met > 0 || !s.exclusive(passages-unchecked) {
		return &BrokenError{Procs: len(t.procs), Passages: passages, Counted: s.before + unchecked, Met: s.met + met}
	}
	return nil
}

// A BrokenError says that a lock failed to exclude while it was measured.
type BrokenError struct {
	Procs    int
	Passages uint64 // that the processes made
	Counted  uint64 // of them, counted in the critical section
	Met      uint64 // passages in which a process saw another one in the critical section
}

func (e *BrokenError) Error() string {
	return fmt.Sprintf("mutual exclusion is violated: %d processes made %d passages; the critical section counted %d of them, and processes met in %d",
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
