package lockhammer

import (
	"fmt"

	"shmbench/predict"
)

// Load is what a curve is measured with: the work in the critical section and
// outside, in ns.
type Load struct{ CS, NCS float64 }

// The edges of the tool: threads end and are joined in some 80 µs, which it
// divides by 5000 acquisitions a thread; they start within 60 ns a thread.
const (
	joining      = 80e3
	acquisitions = 5000
	starting     = 60
)

// thread makes acquisitions.
type thread struct {
	code
	load Load
	left int
	pc   int
	part int
}

func (t *thread) Next(got uint64) predict.Access {
	for {
		switch t.part {
		case 0, 2:
			step := t.enter
			if t.part == 2 {
				step = t.leave
			}
			a, next, done := step(t.pc, got)
			if t.pc = next; !done {
				return a
			}
			t.pc = 0
			if t.part++; t.part == 1 && t.load.CS > 0 {
				return predict.Access{Op: predict.Work, Time: predict.NS(t.load.CS)}
			}
		case 1:
			t.part = 2
		case 3:
			t.part = 4
			if t.load.NCS > 0 {
				return predict.Access{Op: predict.Work, Time: predict.NS(t.load.NCS)}
			}
		case 4:
			t.part = 0
			if t.left--; t.left <= 0 {
				return predict.Access{Op: predict.End}
			}
			return predict.Access{Op: predict.Idle, Time: turn}
		}
	}
}

// patience is how many accesses an acquisition takes at most, on average: where
// a lock hardly gets on, the figure is that of the acquisitions made by then.
const patience = 400

// turn is the loop around an acquisition, from empty on one thread.
const turn = 2000

// Simulate returns what the tool would measure, in ns an acquisition.
func Simulate(m *predict.Machine, program string, threads int, load Load, each int, seed uint64) (ns float64, accesses int64, err error) {
	e, err := predict.NewEngine(m, seed)
	if err != nil {
		return 0, 0, err
	}
	if n := m.Processors(); threads > n {
		return 0, 0, fmt.Errorf("%d threads on %d hardware threads are out of the model", threads, n)
	}
	codes := build(program, memory{e}, threads)
	if codes == nil {
		return 0, 0, fmt.Errorf("there is no program %q", program)
	}
	rng := seed
	all := make([]*thread, threads)
	for i := range threads {
		rng = rng*6364136223846793005 + 1442695040888963407
		start := predict.NS(float64(rng>>33) / (1 << 31) * starting * float64(threads))
		all[i] = &thread{code: codes(i), load: load, left: each}
		e.AddProcess(all[i], start)
	}
	most := int64(patience * threads * each)
	if err := e.Run(func() bool { return e.Accesses < most }); err != nil {
		return 0, 0, err
	}
	made := threads * each
	for _, t := range all {
		made -= t.left
	}
	return e.Now().NS()/float64(max(made, 1)) + joining/(acquisitions*float64(threads)), e.Accesses, nil
}
