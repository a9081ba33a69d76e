package stress

import (
	"sync"
	"time"

	"shmbench/shm"
)

// Report is what a stress run of one lock saw.
type Report struct {
	Algorithm  string `json:"algorithm"`
	Procs      []int  `json:"procs"` // the numbers of processes that were drawn from
	Processors int    `json:"processors"`
	// Topology is where the processes of a lock for several nodes were said to be;
	// empty if nothing was said.
	Topology string `json:"topology,omitempty"`
	// Processes: they were processes of the operating system, and not goroutines.
	Processes bool `json:"processes,omitempty"`
	// Pinned: in phases of at most Processors processes, each had a processor
	// to itself.
	Pinned bool `json:"pinned"`
	// Seed repeats the plan of phases, with the same Procs and Processors.
	// Which process does what first within a phase is not repeatable.
	Seed    uint64  `json:"seed"`
	Strides int     `json:"strides"`
	Phases  int     `json:"phases"`
	Seconds float64 `json:"seconds"`
	// Contended is how many passages were seen to be contended in the first phase,
	// which looks at one in four: those whose process waited for another one.
	Contended uint64 `json:"contended"`
	// Outcomes lists every kind of outcome, also those that did not occur.
	Outcomes []Outcome `json:"outcomes"`
	// Found says when the first forbidden outcome was found, nil if none was.
	Found *Found `json:"found,omitempty"`
}

// Found describes the first forbidden outcome.
type Found struct {
	Oracle   string  `json:"oracle"` // the outcome's name
	Procs    int     `json:"procs"`
	Seconds  float64 `json:"seconds"`
	Stride   int     `json:"stride"` // counted from 1
	Passages uint64  `json:"passages"`
}

// Count returns how often outcomes of a grade occurred.
func (r *Report) Count(g Grade) uint64 {
	total := uint64(0)
	for _, o := range r.Outcomes {
		if o.Grade == g && o.Name != passages && o.Name != readers {
			total += o.Count
		}
	}
	return total
}

// Passages returns how many passages all processes made together.
func (r *Report) Passages() uint64 { return r.Outcomes[0].Count }

// tally collects outcomes from all processes.
type tally struct {
	sync.Mutex
	counts map[string]uint64
	firsts map[string]string
	found  string // the first forbidden kind
	at     time.Time
}

// note counts an outcome and reports whether it is forbidden.
func (t *tally) note(kind, first string) {
	t.Lock()
	defer t.Unlock()
	if t.counts == nil {
		t.counts, t.firsts = make(map[string]uint64), make(map[string]string)
	}
	if t.counts[kind]++; t.counts[kind] == 1 {
		t.firsts[kind] = first
	}
	if t.found == "" && gradeOf(kind) == Forbidden {
		t.found, t.at = kind, time.Now()
	}
}

// forbidden returns the first forbidden kind, empty if there is none yet.
func (t *tally) forbidden() string {
	t.Lock()
	defer t.Unlock()
	return t.found
}

func (t *tally) outcomes(made, looked, executed, failed uint64) []Outcome {
	t.Lock()
	defer t.Unlock()
	var list []Outcome
	for _, k := range kinds {
		o := Outcome{Name: k.name, Grade: k.grade, Count: t.counts[k.name], First: t.firsts[k.name]}
		switch k.name {
		case passages:
			o.Count = made
		case readers:
			o.Count = looked
		case executions:
			o.Count = executed
		case givenUp:
			o.Count = failed
		}
		list = append(list, o)
	}
	return list
}

func gradeOf(kind string) Grade {
	for _, k := range kinds {
		if k.name == kind {
			return k.grade
		}
	}
	panic("stress: no outcome " + kind)
}

// Crashed returns the report of a run whose program ended before its time. name names the
// fault that the Go runtime or the race detector found. r is the report so far, or nil.
func Crashed(a shm.Algorithm, o Options, r *Report, name, first string) *Report {
	if r == nil {
		r = &Report{Algorithm: a.Name, Procs: o.Procs, Seed: o.Seed, Outcomes: new(tally).outcomes(0, 0, 0, 0)}
	}
	r.Outcomes = append(r.Outcomes, Outcome{Name: name, Grade: Forbidden, Count: 1, First: first})
	if r.Found == nil {
		r.Found = &Found{Oracle: name, Seconds: r.Seconds, Stride: r.Strides, Passages: r.Passages()}
	}
	return r
}
