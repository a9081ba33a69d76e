//go:build go1.24

// Package harness runs compiled locks along given schedules. It is built into a program
// together with the twin of sync/atomic and the locks. The source of the locks has been
// rewritten so that plain accesses call this package.
package harness

import (
	"encoding/gob"
	"fmt"
	"iter"
	"os"
	"reflect"
	"runtime/debug"
	"unsafe"

	"shmbench/internal/build/twin"
)

// Lock is what is run.
type Lock interface {
	Lock(int)
	Unlock(int)
}

// mode is how a process enters its critical section, if it does, and leaves it.
type mode struct {
	// number is that of the mode in package shm.
	number uint8
	enter  func(p *process, pid int) bool
	leave  func(int)
	// fails says that what enter returns is what the call has returned.
	fails bool
}

type tryReader interface {
	RLock(int)
	RUnlock(int)
	TryRLock(int) bool
}

// modes are those of a lock, in the order of those of package shm.
func modes(lock Lock) []mode {
	all := []mode{{0, func(_ *process, pid int) bool { lock.Lock(pid); return true }, lock.Unlock, false}}
	if l, ok := lock.(interface{ RLock(int) }); ok {
		if u, ok := lock.(interface{ RUnlock(int) }); ok {
			all = append(all, mode{1, func(_ *process, pid int) bool { l.RLock(pid); return true }, u.RUnlock, false})
		}
	}
	if l, ok := lock.(interface{ TryLock(int) bool }); ok {
		all = append(all, mode{2, func(_ *process, pid int) bool { return l.TryLock(pid) }, lock.Unlock, true})
	}
	if l, ok := lock.(interface{ LockUntil(int, func() bool) bool }); ok {
		all = append(all, mode{3, func(p *process, pid int) bool { return l.LockUntil(pid, p.giveUp()) }, lock.Unlock, true})
	}
	if l, ok := lock.(tryReader); ok {
		all = append(all, mode{4, func(_ *process, pid int) bool { return l.TryRLock(pid) }, l.RUnlock, true})
	}
	return all
}

// Job is a schedule for a lock for N processes: which process goes on next. Given has
// the values that are given where Schedule says so, as bits. Mixed: each passage is
// in the mode that is given.
type Job struct {
	Lock  string
	N     int
	Mixed bool
	// Crashes: processes crash where Schedule says so, and passages begin with Recover, if
	// the lock has it.
	Crashes  bool
	Schedule []byte
	Given    []uint64
}

// Flags of a step of a schedule, which are added to the number of its process.
const (
	// Shares: the write that comes next makes memory shared which the process has
	// allocated: what is written leads to it.
	Shares = 0x80
	// Buffers: the store that comes next goes into the process's store buffer.
	Buffers = 0x40
	// Flush: the process does nothing, and the oldest store in its buffer reaches
	// memory.
	Flush = 0x20
	// Given: the load that comes next finds the next value of those that are given,
	// and memory is as it was behind it; or the store that comes next leaves it; or
	// it is what the process decides.
	Given = 0x10

	// Crash: the process crashes, and begins again when it is next resumed.
	Crash = Flush | Buffers

	whose = Given - 1
)

// The operations of events that are a Flush, the choice of a mode, that of what giveUp
// returns, and a crash.
const (
	Flushed twin.Op = 0xff - iota
	Called
	Polled
	Crashed
)

// Event is what a process does when it is resumed after a stop: an access to
// memory that processes share, or, if Op is 0, the end of a call, which may have
// returned After. Before and After are what is in memory; a load finds what its
// process has buffered.
type Event struct {
	Op            twin.Op
	Plain         bool
	Addr          uint64
	Before, After Value
	// Then is where the process is when it stops before its next event, 0 if it does
	// not come to one.
	Then Standing
}

// Result is what happened. Err says why it ended early.
type Result struct {
	Events []Event
	Err    string
}

// maxStack is the most stack that a process may use, in bytes.
const maxStack = 64 << 20

// gcPercent lets garbage pile up: every schedule makes some, and little stays.
const gcPercent = 800

// Main serves jobs from standard input. When that is closed, it removes the
// directory that is its argument, in which the program is, and ends, whatever
// a lock is doing then.
func Main(build func(lock string, n int) (Lock, error)) {
	debug.SetMaxStack(maxStack)
	debug.SetGCPercent(gcPercent)
	before, known = reached(append(globals, known...)), nil
	in, out := gob.NewDecoder(os.Stdin), gob.NewEncoder(os.Stdout)
	jobs := make(chan Job)
	go func() {
		for {
			var j Job
			if in.Decode(&j) != nil {
				os.RemoveAll(os.Args[1])
				os.Exit(0)
			}
			jobs <- j
		}
	}()
	for j := range jobs {
		if err := out.Encode(run(build, j)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// The process that runs, what it has done since it was resumed, and what it is
// to do.
var (
	current *process
	done    []Event
	due     []byte
	coming  []uint64 // the values of Job.Given that no load has found yet
)

// note notes an event. One that shares memory is a write of a word of type t.
func note(e Event, t reflect.Type, at unsafe.Pointer) {
	if i := len(done); i < len(due) && due[i]&Shares != 0 {
		watched.share(t, at)
	}
	done = append(done, e)
}

// stop waits until an access is due, and makes it.
func stop(op twin.Op, t reflect.Type, at unsafe.Pointer, act func()) {
	current.pause()
	end := current.begin(op, t, at, true)
	before := valueOf(t, at)
	act()
	note(Event{Op: op, Plain: true, Addr: uint64(uintptr(at)), Before: before, After: valueOf(t, at)}, t, at)
	end()
}

func init() {
	var end func()
	twin.Before = func(a twin.Access) {
		if watched.has(a.Addr) {
			current.pause()
			end = current.begin(a.Op, a.Type, a.Addr, false)
		}
	}
	twin.After = func(a twin.Access, before, after uint64) {
		if watched.has(a.Addr) {
			defer end()
			note(Event{Op: a.Op, Addr: uint64(uintptr(a.Addr)), Before: atomicValue(a, before), After: atomicValue(a, after)}, a.Type, a.Addr)
		}
	}
}

func run(build func(string, int) (Lock, error), j Job) (r Result) {
	watched, known, marked = nil, nil, map[unsafe.Pointer]reflect.Type{}
	lock, err := build(j.Lock, j.N)
	if err != nil {
		return Result{Err: err.Error()}
	}
	watched, coming = watch(lock), j.Given
	has := modes(lock)
	if !j.Mixed {
		has = has[:1]
	}
	var recovers func(pid int) uint64
	if j.Crashes {
		recovers = recoverOf(lock)
	}
	procs := make([]*process, j.N)
	for from, to := 0, 0; from < len(j.Schedule); from = to {
		pid := j.Schedule[from] & whose
		flush := j.Schedule[from]&Flush != 0
		for to = from + 1; to < len(j.Schedule) && !flush && j.Schedule[to]&(whose|Flush) == pid; to++ {
		}
		p := procs[pid]
		if j.Schedule[from]&Crash == Crash {
			p.stop()
			procs[pid] = nil
			r.Events = append(r.Events, Event{Op: Crashed})
			continue
		}
		if flush {
			e, err := p.flush(pid)
			if err != nil {
				r.Err = err.Error()
				return r
			}
			r.Events = append(r.Events, e)
			continue
		}
		if p == nil {
			p = start(has, recovers, int(pid))
			procs[pid] = p
			defer p.stop()
			p.resume(nil) // to its first stop
		}
		if p.failed == "" {
			p.resume(j.Schedule[from:to])
			r.Events = append(r.Events, done...)
		}
		if p.failed != "" {
			r.Err = fmt.Sprintf("process %d panics: %s", pid, p.failed)
			return r
		}
	}
	return r
}

// process is a coroutine that makes passages forever and stops before each
// event.
type process struct {
	failed string
	stands Standing
	buffer buffer
	more   int // stops that it does not wait at
	yield  func(struct{}) bool
	next   func() (struct{}, bool)
	stop   func()
}

type stopped struct{}

func start(has []mode, recovers func(pid int) uint64, pid int) *process {
	p := &process{}
	p.next, p.stop = iter.Pull(func(yield func(struct{}) bool) {
		defer func() {
			switch x := recover().(type) {
			case nil, stopped:
			default:
				p.failed = fmt.Sprint(x)
			}
		}()
		p.yield = yield
		for {
			m := has[0]
			entered := false
			if recovers != nil {
				switch p.recover(recovers, pid) {
				case enter:
				case inside:
					entered = true
				case finished:
					continue
				default:
					panic("Recover returns an unknown outcome")
				}
			}
			if !entered {
				if len(has) > 1 {
					p.stands = First(true)
					m = has[p.decide(Called)]
				}
				p.stands = standing(Enters, m.number)
				entered = m.enter(p, pid)
				e := Event{}
				if m.fails {
					e.After = valueOf(reflect.TypeFor[bool](), unsafe.Pointer(&entered))
				}
				p.end(e)
			}
			if entered {
				p.stands = standing(Leaves, m.number)
				m.leave(pid)
				p.end(Event{})
			}
		}
	})
	return p
}

// end is the end of a call.
func (p *process) end(e Event) {
	p.pause()
	note(e, nil, nil)
}

// decide is what a process decides.
func (p *process) decide(what twin.Op) (choice uint64) {
	p.pause()
	choice, coming = coming[0], coming[1:]
	note(Event{Op: what}, nil, nil)
	return choice
}

// giveUp is what LockUntil asks.
func (p *process) giveUp() func() bool {
	gaveUp := false
	return func() bool {
		if gaveUp {
			panic("calls giveUp again, which has returned true")
		}
		if gaveUp = p.decide(Polled) != 0; gaveUp {
			p.stands |= gave
		}
		return gaveUp
	}
}

// pause lets the others run until the process is resumed, if that is not due
// already.
func (p *process) pause() {
	if k := len(done); k > 0 {
		done[k-1].Then = p.stands
	}
	if p.more > 0 {
		p.more--
		return
	}
	if !p.yield(struct{}{}) {
		panic(stopped{})
	}
}

// resume lets the process do what it has stopped before, and so on, as often as
// it is due, and runs it to its next stop.
func (p *process) resume(steps []byte) {
	current, done, due, p.more = p, done[:0], steps, len(steps)-1
	p.next()
}
