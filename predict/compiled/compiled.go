// Package compiled runs locks' compiled code on a modeled machine.
//
// The locks are built with the twin of sync/atomic in the place of sync/atomic, of package
// register and of package spin. Each process is a coroutine that stops before each of its
// atomic accesses. The engine of package predict says when the access is made, and the
// coroutine then makes it. Registers are where New has put them: registers whose addresses
// are in one line of 64 bytes share a line. The code between two atomic accesses, plain words
// included, costs the machine's gap.
package compiled

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"shmbench/internal/build/twin"
	"shmbench/predict"
	"shmbench/shm"
)

// Trial is what a lock is asked to do.
type Trial struct {
	Lock     string
	Topology string // where the processes are of locks for several nodes, as -topology has it
	Machine  *predict.Machine
	Workload Workload
	Options
}

// Workload says what the processes do, as bench.Workload does.
type Workload struct {
	Procs   int           // at most the machine's hardware threads
	CS, NCS time.Duration // work in and between critical sections
	Lines   int           // shared lines that a critical section writes beside the check's own
	Rate    float64       // of an open loop: arrivals a second of each process; NCS is then 0
}

// Options say how long to run. The zero Options are the defaults.
type Options struct {
	// Passages is how many passages each process makes in the counted window; 0
	// means 20.
	Passages int
	// Accesses is how many accesses there may be at most, before the window and in
	// it; 0 means a million.
	Accesses int64
	Seed     uint64
	// Explain counts the transfers that each access of each line of source cost.
	Explain bool
}

func (o *Options) complete() {
	if o.Passages == 0 {
		o.Passages = 20
	}
	if o.Accesses == 0 {
		o.Accesses = 1_000_000
	}
}

// Run runs a lock on the modeled machine. It is not to be called twice at a time.
func Run(ctx context.Context, a shm.Algorithm, t Trial) (*Result, error) {
	t.complete()
	w := t.Workload
	if most := t.Machine.Processors(); w.Procs < 1 || w.Procs > most {
		return nil, fmt.Errorf("%d processes on a machine of %d hardware threads: more processes than processors are out of the model", w.Procs, most)
	}
	if a.Class.Sleeps() {
		return nil, fmt.Errorf("%s: its processes sleep in the operating system or the Go runtime, which the model does not have", a.Name)
	}
	lock, err := a.New(w.Procs)
	if err != nil {
		return nil, err
	}
	engine, err := predict.NewEngine(t.Machine, t.Seed)
	if err != nil {
		return nil, err
	}
	d := &driver{caches: newCoherence(w.Procs), engine: engine, lock: lock, load: w, words: map[uintptr]int32{}, byLine: map[uintptr]int32{}, at: map[int32]uintptr{}, explain: t.Explain}
	d.section = engine.AddWord(engine.AddLine(), 0)
	for range w.Lines {
		d.lines = append(d.lines, engine.AddWord(engine.AddLine(), 0))
	}
	window, err := newWindow(t, d)
	if err != nil {
		return nil, err
	}
	defer d.release()
	twin.Before, twin.Paused = d.before, d.paused
	for id := range w.Procs {
		d.start(id, t.Seed)
	}
	engine.Marked, engine.Moved = window.mark, window.moved
	events := 0
	err = engine.Run(func() bool {
		events++
		return !window.ends() && (events%4096 != 0 || ctx.Err() == nil)
	})
	switch {
	case d.fault != nil:
		return nil, fmt.Errorf("%s with %d processes: %w", a.Name, w.Procs, d.fault)
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	var r *Result
	switch {
	case errors.Is(err, predict.ErrStuck):
		return &Result{Violated: err.Error()}, nil
	case window.met:
		return &Result{Violated: "two processes were in their critical sections at once"}, nil
	case err == nil && d.caches.refuted(a, t) != "":
		return &Result{Violated: d.caches.refuted(a, t)}, nil
	case err == nil:
		if r, err = window.result(); err == nil {
			r.References = d.caches.most
		}
	}
	if err != nil {
		err = fmt.Errorf("%s with %d processes: %w", a.Name, w.Procs, err)
	}
	return r, err
}

// driver has the processes of a run. One of them runs at a time.
type driver struct {
	engine  *predict.Engine
	lock    shm.Mutex
	load    Workload
	section int32             // the word that a critical section checks and counts up
	lines   []int32           // that it writes beside it
	words   map[uintptr]int32 // by the address of a register
	byLine  map[uintptr]int32 // by the address of its line
	at      map[int32]uintptr // the address of a word
	procs   []*process
	running *process
	caches  *coherence
	explain bool
	fault   error
}

// errReleased unwinds a process that is not needed any more.
var errReleased = errors.New("released")

// release ends the coroutines.
func (d *driver) release() {
	twin.Before, twin.Paused = nil, nil
	for _, p := range d.procs {
		p.stop()
	}
}

func (d *driver) start(id int, seed uint64) {
	p := newProcess(d, id, seed)
	p.next, p.stop = iter.Pull(iter.Seq[predict.Access](p.run))
	d.procs = append(d.procs, p)
	// They come one after another at random, so that the order of those that wait in
	// line is no order of the machine's.
	at := time.Duration(p.random.Int64N(int64(60 * d.load.Procs)))
	d.engine.AddProcess(p, predict.NS(float64(at)))
}

// word returns the engine's number of the register at an address.
func (d *driver) word(at uintptr) int32 {
	w, ok := d.words[at]
	if !ok {
		const lineSize = 64
		l, ok := d.byLine[at/lineSize]
		if !ok {
			l = d.engine.AddLine()
			d.byLine[at/lineSize] = l
		}
		w = d.engine.AddWord(l, 0)
		d.words[at], d.at[w] = w, at
	}
	return w
}
