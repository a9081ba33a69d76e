// Package kills stress-tests recoverable locks between processes of the operating system,
// which it kills with SIGKILL. The lock lies in memory that the processes share. A process
// that was killed is started again under its number, and begins with Recover.
//
// A process kills itself at an access of the lock, in a section that the plan chooses, if the
// lock was built on package twin; in its critical section it does so in any program. The
// supervisor kills further processes by the clock. With Trial.System it is the supervisor
// that is killed, and all processes with it, and a new supervisor attaches to the memory.
//
// Three oracles watch: mutual exclusion; critical-section re-entry, that no process enters
// after another one was killed in its critical section and before that one has entered again;
// and progress. A run that finds nothing is evidence, and no proof.
package kills

import (
	"context"
	"time"

	"shmbench/internal/run/isolate"
	"shmbench/shm"
)

// Service is that of a program that stress-tests one lock, whose question is a Trial.
const Service = "kills"

// Trial says which lock is stress-tested, and how.
type Trial struct {
	Lock  string
	Procs int // the number of processes
	// Kills is the number of processes to kill.
	Kills int
	// System: all processes are killed at once, and not one at a time.
	System bool
	// Seed draws the plan.
	Seed uint64
	// Deadline is the time without an entry after which the lock is called hung.
	Deadline time.Duration
}

// Report is the result of a Trial.
type Report struct {
	Algorithm string  `json:"algorithm"`
	Procs     int     `json:"procs"`
	System    bool    `json:"system,omitempty"`
	Seed      uint64  `json:"seed"`
	Seconds   float64 `json:"seconds"`
	// Passages is the number of critical sections of all processes.
	Passages uint64 `json:"passages"`
	// Kills has the number of killed processes by section.
	Kills [Sections]int `json:"kills"`
	// Found is the first forbidden outcome, or nil.
	Found *Found `json:"found,omitempty"`
}

// Found is a forbidden outcome.
type Found struct {
	Oracle string `json:"oracle"` // "mutual exclusion", "re-entry", "hung" or "crashed"
	Text   string `json:"text"`
}

// Total is the number of killed processes.
func (r *Report) Total() (sum int) {
	for _, n := range r.Kills {
		sum += n
	}
	return sum
}

// The sections of a passage.
const (
	Remainder = iota
	Recovery
	Entry
	Critical
	Exit
	Sections
)

// SectionNames are the names of the sections.
var SectionNames = [Sections]string{"remainder", "recovery", "entry", "critical", "exit"}

// Find returns the specification of a lock by its name.
type Find func(name string) (shm.Algorithm, error)

// Serve is called first in main. In a program that is asked for a Trial, it does its part
// and ends the program. It does the same in a process of a Trial. In any other program it
// does nothing.
func Serve(ctx context.Context, find Find) {
	serveProcess(ctx)
	serveRound(ctx, find)
	isolate.Child(ctx, Service, func(ctx context.Context, t Trial) (*Report, error) { return run(ctx, find, t) })
}

// run makes the trial.
func run(ctx context.Context, find Find, t Trial) (*Report, error) {
	began := time.Now()
	r := &Report{Algorithm: t.Lock, Procs: t.Procs, System: t.System, Seed: t.Seed}
	err := error(nil)
	if t.System {
		err = systemWide(ctx, t, r)
	} else {
		err = oneByOne(ctx, find, t, r)
	}
	r.Seconds = time.Since(began).Seconds()
	if ctx.Err() != nil { // what was seen by then is an answer
		err = nil
	}
	return r, err
}
