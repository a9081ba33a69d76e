package check

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"shmbench/check/internal/spec"
	"shmbench/check/internal/trace"
	"shmbench/check/internal/verdict"
	"shmbench/shm"
)

// Report is the result of a check of one lock for one n.
type Report struct {
	Algorithm string `json:"algorithm"`
	N         int    `json:"n"`
	// Paths are the first n of Options.Paths.
	Paths [][]int `json:"paths,omitempty"`
	// Passages is the number of passages of each process. 0 means any number, which is the case
	// if the registers are bounded.
	Passages int `json:"passages"`
	// Memory is "sc", or "tso" for total store order: where the lock has stores
	// with release order, and with Options.TSO.
	Memory string `json:"memory"`
	// Unfenced: the verdicts are those of the lock with all stores unfenced, which is not the
	// lock as written. No specification is compared with them.
	Unfenced bool `json:"unfenced,omitempty"`
	// RegisterModel is the model of registers that processes only read and write.
	RegisterModel shm.RegisterModel `json:"register_model"`
	// Overflows: executions were cut off in which a process would have written a value outside
	// the range of a register.
	Overflows bool `json:"overflows,omitempty"`
	// Unlucky are the properties that are violated only by executions whose reads that
	// overlap writes return unfortunate values forever.
	Unlucky []string `json:"unlucky,omitempty"`
	// BufferedStores is, under tso, the capacity of a process's buffer, if some process had to
	// wait for room in it. It is 0 if no process ever has to, so that the verdicts hold for
	// unbounded buffers.
	BufferedStores int `json:"buffered_stores,omitempty"`
	// SharedWith is the algorithm whose automata this variant has, line by line. The verdicts are
	// those of that algorithm, and the replays are the variant's own.
	SharedWith string `json:"shared_with,omitempty"`
	// SafetyOnly: only mutual exclusion, deadlock freedom, freedom from data races and panics, and invariants were
	// asked for.
	SafetyOnly bool `json:"safety_only,omitempty"`
	// Renamings is the number of renamings of processes, registers and values, with the identity, up to which
	// States counts states: those that differ by a renaming count as one. It is 0 if States counts every state.
	Renamings int `json:"renamings,omitempty"`
	// PartialOrder: steps whose order makes no difference to the verdicts were not made in every order, and States
	// counts only the states that were visited so.
	PartialOrder bool `json:"partial_order,omitempty"`
	// States is the number of reachable states. Transitions counts the arrivals at them,
	// including the initial one, as SPIN does: stored plus matched. Bytes is the size of the
	// visited table.
	States      int     `json:"states"`
	Transitions int64   `json:"transitions"`
	Depth       int     `json:"depth"` // steps to the farthest state
	Seconds     Seconds `json:"seconds"`
	// Bytes is the size of the visited table.
	Bytes int64 `json:"bytes"`
	// Exhausted: the lock was fully explored, so every reachable state has been visited.
	Exhausted bool `json:"exhausted"`

	MutualExclusion   Verdict `json:"mutual_exclusion"`
	DeadlockFreedom   Verdict `json:"deadlock_freedom"`
	StarvationFreedom Verdict `json:"starvation_freedom"`
	FCFS              Verdict `json:"fcfs"`
	DoorwayWaitFree   Verdict `json:"doorway_wait_free"`
	ExitProgress      Verdict `json:"exit_progress"`
	ExitWaitFree      Verdict `json:"exit_wait_free"`
	DataRaceFreedom   Verdict `json:"data_race_freedom"`
	PanicFreedom      Verdict `json:"panic_freedom"`
	// Invariants are the verdicts on the lock's invariants: those of its specification, and
	// Options.Invariants.
	Invariants []Invariant `json:"invariants,omitempty"`
	// Modes has the further verdicts if each passage may be in any mode of the lock. Then
	// StarvationFreedom, Starved and Bypass are of processes in Lock, and of critical sections
	// other than those of readers. Then the properties of Lock and Unlock
	// only say so. Modes is nil if processes only lock and unlock. A lock
	// with other modes has a report of both kinds for each n.
	Modes *Modes `json:"modes,omitempty"`
	// Crashes is what is decided besides where processes crash. Then no specification is
	// compared, and what Crashes does not speak of is unknown.
	Crashes *CrashVerdicts `json:"crashes,omitempty"`
	// NotCalled names the methods that no passage calls, and why: they have the name of an entry
	// call, without its counterpart.
	NotCalled []string `json:"not_called,omitempty"`
	// Starved are the processes that can stay in their entry sections forever.
	Starved []int `json:"starved"`
	// Bypass is the most critical sections of all other processes together that can begin while a
	// process is past its doorway and has not entered. BypassFromStart counts from its first
	// access. Both are -1 if there is no bound, and nil if they are unknown.
	Bypass          *int `json:"bypass"`
	BypassFromStart *int `json:"bypass_from_start"`
	// Placed counts from the place that the specification claims. It is nil if it claims none.
	Placed *int `json:"placed,omitempty"`
	// doorwayEnds: an access is on the line on which the specification ends the doorway.
	doorwayEnds bool

	// Class names the operations on shared registers: "read/write",
	// "swap+compare-and-swap". Those of TryLock and LockUntil are not counted.
	Class     string `json:"class,omitempty"`
	class     shm.Class
	Registers []Registers `json:"registers,omitempty"`
	// RMR is nil if not every state was visited.
	RMR *RMR `json:"rmr,omitempty"`
	// Costs is nil if the states are too many.
	Costs *Costs `json:"costs,omitempty"`
	// Overflow is the verdict on the lock if the words that grow without bound have only a few
	// bits.
	Overflow *Overflow `json:"overflow,omitempty"`

	// Fences says, under tso, which stores need their fence.
	Fences *Fences `json:"fences,omitempty"`
	// Replay counts the replays on the compiled code, with the same accesses and values at every
	// step.
	Replay *Replay `json:"replay,omitempty"`

	// Refused says why the lock cannot be checked. There are no verdicts then.
	Refused string `json:"refused,omitempty"`
	// Disagreements are the differences between the lock and its specification.
	Disagreements []string `json:"disagreements,omitempty"`
	lost          []Loss
	spec          *shm.Algorithm // nil if there is none
	// Undecided lists the undecided properties that a lock must have, or that its specification
	// claims. Each is unknown, or holds only within a bound that the user did not ask for.
	Undecided []Undecided `json:"undecided,omitempty"`
	has       []shm.Mode  // the modes that the lock has
	stopped   string      // a bound of the interpreter's, with its line
	piling    bool        // passages are limited for memory that Lock allocates
	open      string      // why it is not enough to know the differences of counters
	// openDeadlock says why deadlock freedom is undecided, if everything else is decided.
	openDeadlock string
	// mostCrashes is the most crashes, and 0 for any number or none.
	mostCrashes int
	// Counterexamples has a trace for each violated property.
	Counterexamples []*trace.Trace `json:"counterexamples,omitempty"`
	// Witnesses are the executions that Options.Witness asks for, and NoWitness says why there is
	// none of a bound.
	Witnesses []*trace.Trace    `json:"witnesses,omitempty"`
	NoWitness map[string]string `json:"no_witness,omitempty"`
	// Code, with Options.Sources, has the functions that access shared memory, each as the place
	// where it begins, "tas/tas.go:76".
	Code  []string `json:"code,omitempty"`
	texts map[string]string
}

// Texts returns the functions that Code names.
func (r *Report) Texts() map[string]string { return r.texts }

// Seconds is the time of each stage of a check.
type Seconds struct {
	// Learning the automata, and the values of the registers.
	Learning float64 `json:"learning"`
	// Exploring is the time of visiting every state; 0 if the verdicts are shared.
	Exploring float64 `json:"exploring"`
	// Analyzing is the time of deciding, with the explorations that it needs: caches, words that
	// wrap around, stores without their fences.
	Analysing float64 `json:"analysing"`
	// Replaying on the compiled code, which the first lock builds.
	Replaying float64 `json:"replaying"`
}

// Registers is one kind of shared register: those with one name.
type Registers struct {
	Name string `json:"name"`
	// Count is the number of these registers that processes access, and Values the most different
	// values of one of them. Unbounded: the values are only bounded because the passages are.
	Count        int  `json:"count"`
	Values       int  `json:"values"`
	Unbounded    bool `json:"unbounded"`
	SingleWriter bool `json:"single_writer"`
	// Forgotten: no later step depends on the value, which grows without bound and is no part of
	// a state.
	Forgotten bool `json:"forgotten,omitempty"`
}

// Overflow is the outcome with words of a few bits. Its passages are without
// limit.
type Overflow struct {
	Modulo int    `json:"modulo"`
	Words  string `json:"words"` // the Go types that were narrowed
	// Omitted says why this was not decided. For example, New may not work with such narrow
	// words.
	Omitted           string  `json:"omitted,omitempty"`
	States            int     `json:"states"`
	Exhausted         bool    `json:"exhausted"`
	MutualExclusion   Verdict `json:"mutual_exclusion"`
	DeadlockFreedom   Verdict `json:"deadlock_freedom"`
	StarvationFreedom Verdict `json:"starvation_freedom"`
}

// Replay counts what was replayed on the compiled code.
type Replay struct {
	Transitions     int `json:"transitions"`
	Counterexamples int `json:"counterexamples"`
	Schedules       int `json:"schedules"`
	Accesses        int `json:"accesses"`
	// Omitted says why nothing was replayed. Then no verdict was checked against the compiled
	// code.
	Omitted string `json:"omitted,omitempty"`
}

// Err returns an error that says what is wrong with the lock, or nil. It has every difference
// from the specification, and the trace of the first violation. Mutual exclusion, deadlock freedom, progress of the exit section, and
// freedom from data races and panics must hold. Under sequential consistency the lock's
// invariants must hold too. The lock must agree with its specification, if it has one, and
// none of this may be undecided.
func (r *Report) Err() error {
	switch {
	case r.Refused != "":
		return fmt.Errorf("%s is undecided: %s", r.Algorithm, r.Refused)
	case len(r.Disagreements) > 0:
		return fmt.Errorf("%s, n=%d: %s%s", r.Algorithm, r.N, strings.Join(r.Disagreements, "; "), r.traceOfLoss())
	}
	for _, name := range r.Violated() {
		return fmt.Errorf("%s, n=%d: %s is violated\n\n%s", r.Algorithm, r.N, name, r.Counterexample(name))
	}
	if len(r.Undecided) > 0 {
		return fmt.Errorf("%s, n=%d: not decided: %s", r.Algorithm, r.N, r.Undecided[0])
	}
	return nil
}

// traceOfLoss is the trace against the first claim that is lost and has a trace, or "".
func (r *Report) traceOfLoss() string {
	for _, loss := range r.lost {
		if t := r.Counterexample(loss.Claim); t != nil {
			return fmt.Sprintf("\n\n%s", t)
		}
	}
	return ""
}

// Err returns the first error of several reports, or nil if there is none. It is an error if there
// is no report, because then nothing was checked.
func Err(reports []*Report) error {
	if len(reports) == 0 {
		return errors.New("nothing was checked: there is no report")
	}
	for _, r := range reports {
		if err := r.Err(); err != nil {
			return err
		}
	}
	return nil
}

// property is a property of a lock, and the verdict on it.
type property struct {
	name string
	v    *Verdict
}

// all returns every verdict of the report. That on a wait-free exit section has a name
// only where processes crash.
func (r *Report) all() []property {
	exit := ""
	if r.Crashes != nil {
		exit = verdict.BoundedExit
	}
	all := []property{
		{verdict.MutualExclusion, &r.MutualExclusion}, {verdict.DeadlockFreedom, &r.DeadlockFreedom},
		{verdict.StarvationFreedom, &r.StarvationFreedom}, {verdict.FirstComeFirstServed, &r.FCFS},
		{verdict.WaitFreeDoorway, &r.DoorwayWaitFree}, {verdict.ExitProgress, &r.ExitProgress}, {exit, &r.ExitWaitFree},
		{verdict.DataRaceFreedom, &r.DataRaceFreedom}, {verdict.PanicFreedom, &r.PanicFreedom},
	}
	for i := range r.Invariants {
		all = append(all, property{r.Invariants[i].property(), &r.Invariants[i].Verdict})
	}
	return slices.Concat(all, r.Modes.all(), r.Crashes.all())
}

// on returns the verdict on a property by its name; it is empty if the property is not
// asked of the lock.
func (r *Report) on(name string) Verdict {
	if name == spec.CoherentReferences || name == spec.DistributedReferences {
		return r.RMR.on(name)
	}
	for _, p := range r.all() {
		if p.name == name {
			return *p.v
		}
	}
	return ""
}

// named returns the properties of these names that are asked of the lock.
func (r *Report) named(names []string) (all []property) {
	for _, name := range names {
		if v := r.on(name); v != "" {
			all = append(all, property{name, &v})
		}
	}
	return all
}

// basics are the properties that every lock must have, and its own invariants, which are for
// sequentially consistent memory and atomic registers.
func (r *Report) basics() []property {
	if r.Crashes != nil {
		return r.crashBasics()
	}
	names := spec.Required(r.spec, r.terms())
	if r.Memory == "sc" && !r.weak() && r.Modes == nil {
		for _, inv := range r.Invariants {
			names = append(names, inv.property())
		}
	}
	return r.named(names)
}

// safety are the properties of single states, and deadlock freedom if the lock must have it.
func (r *Report) safety() []property {
	names := []string{verdict.MutualExclusion, verdict.DataRaceFreedom, verdict.PanicFreedom}
	if slices.Contains(spec.Required(r.spec, r.terms()), verdict.DeadlockFreedom) {
		names = slices.Insert(names, 1, verdict.DeadlockFreedom)
	}
	for _, inv := range r.Invariants {
		names = append(names, inv.property())
	}
	return r.named(names)
}

// owed are the basic properties and the claims of the specification.
func (r *Report) owed() []property {
	if r.Crashes != nil {
		return r.crashOwed()
	}
	return append(r.basics(), r.named(spec.Claimed(r.spec, r.terms()))...)
}

// Violated returns the names of the properties that are violated, of those that
// every lock must have and its own invariants.
func (r *Report) Violated() []string {
	var names []string
	for _, p := range r.basics() {
		if *p.v == Violated {
			names = append(names, p.name)
		}
	}
	return names
}

// Counterexample returns the trace against a property, or nil.
func (r *Report) Counterexample(property string) *trace.Trace {
	for _, t := range r.Counterexamples {
		if t.Property == property {
			return t
		}
	}
	return nil
}

// setAll makes every verdict the same.
func (r *Report) setAll(v Verdict) {
	for _, p := range r.all() {
		*p.v = v
	}
}
