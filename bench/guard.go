package bench

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"shmbench/internal/run/goroutine"
	"shmbench/internal/run/watchdog"
)

// guard watches the processes of a trial from outside while the conductor waits. It
// distinguishes a lock that hangs from a slow machine, with the time limits of
// package stress. The processes tell it nothing. Every half second it looks at
// their progress. It looks at their stacks only if no process has moved since the
// last look.
type guard struct {
	t      *trial
	dog    *watchdog.Watchdog
	tick   *time.Ticker
	timer  *time.Timer // of sleep
	moves  uint64
	stacks map[int]goroutine.Stack // nil where a process has moved since the last look
}

// patience is how long the processes may stand still. It is a variable for tests.
var patience = watchdog.Deadline

func newGuard(t *trial) *guard {
	g := &guard{t: t, moves: t.moves()}
	g.dog = watchdog.New(len(t.procs), patience, func(i int) (uint64, watchdog.Place) { return g.moves, g.place(t.procs[i]) })
	g.tick = time.NewTicker(g.dog.Interval())
	g.timer = time.NewTimer(time.Hour)
	return g
}

func (g *guard) stop() {
	g.tick.Stop()
	g.timer.Stop()
}

// errMet says that two processes were in the critical section at once. Passages are
// then no longer counted, and no number of them is required.
var errMet = errors.New("mutual exclusion is violated")

// await waits for a value of done, or until done is closed. It returns ctx's error
// if ctx ends first, a *StuckError if the lock hangs, and errMet.
func await[T any](ctx context.Context, g *guard, done <-chan T) (v T, err error) {
	for {
		select {
		case v = <-done:
			return v, nil
		case <-ctx.Done():
			return v, ctx.Err()
		case err := <-g.t.crashed:
			return v, err
		case <-g.tick.C:
			if err := g.look(); err != nil {
				return v, err
			}
		}
	}
}

// sleep waits for d. It returns the same errors as await.
func (g *guard) sleep(ctx context.Context, d time.Duration) error {
	g.timer.Reset(d)
	_, err := await(ctx, g, g.timer.C)
	return err
}

// look looks at the processes. It returns a *StuckError if they have not moved for
// too long, or errMet if they have met.
func (g *guard) look() error {
	if g.t.met() && g.t.phase.Load() != over {
		return errMet
	}
	moves := g.t.moves()
	g.stacks = nil
	if moves == g.moves && !g.t.apart {
		g.stacks = goroutine.Dump()
	}
	g.moves = moves
	g.dog.Tick()
	if asleep := g.dog.Asleep(g.allWait); asleep >= watchdog.Sleepers {
		return g.stuck(asleep, ", and all processes in it wait")
	}
	if g.dog.Hung() {
		return g.stuck(time.Duration(g.dog.Quiet())*g.dog.Interval(), "")
	}
	return nil
}

// place returns where a process is. While processes move, the place does not matter.
// The stack of a process of the operating system is unknown.
func (g *guard) place(p *process) watchdog.Place {
	switch {
	case p.done.Load():
		return watchdog.Away
	case g.t.apart && g.t.phase.Load() == gathering:
		return watchdog.Outside
	case g.stacks == nil || inLock(g.stacks[int(p.goroutine.Load())]):
		return watchdog.Inside
	}
	return watchdog.Outside
}

// allWait reports whether all processes that have not ended were seen waiting in
// the lock.
func (g *guard) allWait() bool {
	for _, p := range g.t.procs {
		stack := g.stacks[int(p.goroutine.Load())]
		if !p.done.Load() && !(inLock(stack) && stack.Waiting()) {
			return false
		}
	}
	return true
}

// lockMethods are the suffixes of the names of the methods by which a process enters
// and leaves a critical section. They include the methods of shm.Mode.
var lockMethods = []string{".Lock", ".Unlock", ".RLock", ".RUnlock", ".Enter", ".Leave", ".Execute"}

// inLock reports whether a process with this stack is in its entry or exit section:
// whether its last call is a call of one of these methods.
func inLock(s goroutine.Stack) bool {
	called := ""
	for _, f := range s.Frames {
		if strings.HasPrefix(f.Func, "shmbench/bench.(*process).") {
			break
		}
		called = f.Func
	}
	return slices.ContainsFunc(lockMethods, func(end string) bool { return strings.HasSuffix(called, end) })
}

// A StuckError says that a lock hangs. No process made a passage for so long, and no
// process outside the lock could have continued.
type StuckError struct {
	For   time.Duration
	Where string // the end of the message: a line for each process
}

func (e *StuckError) Error() string {
	return fmt.Sprintf("the lock hangs: no process made a passage for %v%s", e.For, e.Where)
}

func (g *guard) stuck(quiet time.Duration, note string) *StuckError {
	e := &StuckError{For: quiet, Where: note}
	for _, p := range g.t.procs {
		at := "has ended"
		switch {
		case p.done.Load():
		case g.t.apart:
			at = fmt.Sprintf("has made %d passages", p.all())
		default:
			at = g.stacks[int(p.goroutine.Load())].String()
		}
		e.Where += fmt.Sprintf("\n  process %d: %s", p.pid, at)
	}
	return e
}

// leftBehind is the number of processes of earlier trials that are still in their
// lock. They cannot be stopped, and use processor time.
var leftBehind atomic.Int64

// abandon leaves the processes behind that did not end. Processes of the operating system
// are killed later.
func (t *trial) abandon(processes int) {
	if t.apart {
		return
	}
	leftBehind.Add(int64(processes))
	go func() {
		for range processes {
			<-t.ended
			leftBehind.Add(-1)
		}
	}()
}

// undisturbed returns an error if processes of an earlier trial still run.
func undisturbed() error {
	if n := leftBehind.Load(); n > 0 {
		return fmt.Errorf("not measured: an earlier lock hangs, and its processes, which cannot be stopped, take processor time (%d of them)", n)
	}
	return nil
}
