// Package harness runs compiled locks along given schedules. It is built into
// a program together with the locks and the twin of sync/atomic.
package harness

import (
	"encoding/gob"
	"fmt"
	"io"
	"iter"
	"os"
	"reflect"

	"shmbench/internal/twin"
)

// Lock is what is run.
type Lock interface {
	Lock(int)
	Unlock(int)
}

// Job is a schedule for a lock for N processes: who makes the next access.
type Job struct {
	Lock     string
	N        int
	Schedule []byte
}

// Step is an access that was made, what its word held and holds, and the section
// that its process is in after it: 0 remainder, 1 entry, 2 critical, 3 exit.
type Step struct {
	Op            twin.Op
	Addr          uint64
	Pointer       bool // the word holds an address
	Before, After uint64
	Section       uint8
}

// Result is what happened. Err says why it ended early.
type Result struct {
	Steps []Step
	Err   string
}

// Main serves jobs from standard input until it ends.
func Main(build func(lock string, n int) (Lock, error)) {
	in, out := gob.NewDecoder(os.Stdin), gob.NewEncoder(os.Stdout)
	for {
		var j Job
		if err := in.Decode(&j); err == io.EOF {
			return
		} else if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		if err := out.Encode(run(build, j)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

func run(build func(string, int) (Lock, error), j Job) (r Result) {
	twin.Before = nil
	var last Step
	twin.After = func(a twin.Access, before, after uint64) {
		last = Step{Op: a.Op, Addr: uint64(uintptr(a.Addr)), Pointer: a.Kind == reflect.Pointer, Before: before, After: after}
	}
	lock, err := build(j.Lock, j.N)
	if err != nil {
		return Result{Err: err.Error()}
	}
	procs := make([]*process, j.N)
	for pid := range procs {
		procs[pid] = start(lock, pid)
		defer procs[pid].stop()
	}
	for _, pid := range j.Schedule {
		p := procs[pid]
		p.resume()
		if p.failed != "" {
			r.Err = fmt.Sprintf("process %d panics: %s", pid, p.failed)
			return r
		}
		last.Section = p.section
		r.Steps = append(r.Steps, last)
	}
	return r
}

// process is a coroutine that locks and unlocks for ever and stops before each
// access.
type process struct {
	section uint8
	failed  string
	yield   func(struct{}) bool
	next    func() (struct{}, bool)
	stop    func()
}

type stopped struct{}

func start(lock Lock, pid int) *process {
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
			p.section = 0
			lock.Lock(pid)
			p.section = 2
			lock.Unlock(pid)
		}
	})
	p.resume() // to its first access
	return p
}

// resume makes the access that the process has stopped before, and runs it to
// the next one.
func (p *process) resume() {
	twin.Before = func(twin.Access) {
		if !p.yield(struct{}{}) {
			panic(stopped{})
		}
		if p.section == 0 || p.section == 2 {
			p.section++ // its first access of this section
		}
	}
	p.next()
	twin.Before = nil
}
