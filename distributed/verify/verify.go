// Package verify holds the message-passing algorithms against their claims, by
// exploring each in the same small systems, with and without faults.
package verify

import (
	"context"
	"fmt"
	"slices"

	"shmbench/distributed"
	"shmbench/distributed/explore"
)

// A Trial is a system in which each algorithm is explored.
type Trial struct {
	Name     string
	Nodes    int
	Threads  int
	Requests int
	AnyOrder bool // whatever the algorithm claims to rest on
	AnyTime  bool
	Ticks    bool // timeouts have their stated length; only for algorithms with timeouts
	First    bool // of elections: no node leads yet
	InOrder  bool // of elections: messages of a pair arrive in order, whatever they rest on
	Faults   explore.Faults

	// Smaller are smaller systems. The first of them that is not too large decides a
	// claim that is undecided here.
	Smaller []Size
}

// A Size is how many nodes there are, and how often each thread asks.
type Size struct {
	Nodes    int `json:"nodes"`
	Requests int `json:"requests"`
}

// Trials are the columns of the table, in order.
var Trials = []Trial{
	{Name: "nodes", Nodes: 3, Threads: 1, Requests: 1},
	{Name: "again", Nodes: 2, Threads: 1, Requests: 3},
	{Name: "threads", Nodes: 2, Threads: 2, Requests: 1},
	{Name: "endless", Nodes: 3, Threads: 1, Requests: explore.Forever, Smaller: []Size{{2, explore.Forever}, {3, 2}, {2, 4}, {2, 3}}},
	{Name: "overtaking", Nodes: 3, Threads: 1, Requests: 2, AnyOrder: true, Smaller: []Size{{3, 1}}},
	{Name: "late", Nodes: 2, Threads: 1, Requests: 2, AnyTime: true},
	{Name: "crash", Nodes: 3, Threads: 1, Requests: 1, Faults: explore.Faults{Crash: 1}},
	{Name: "restart", Nodes: 2, Threads: 1, Requests: 2, Faults: explore.Faults{Crash: 1, Recover: 1}},
	{Name: "restarts", Nodes: 2, Threads: 1, Requests: 1, Faults: explore.Faults{Crash: 2, Recover: 2}},
	{Name: "loss", Nodes: 3, Threads: 1, Requests: 1, Faults: explore.Faults{Lose: 1}},
	{Name: "ticks", Nodes: 2, Threads: 1, Requests: 2, Ticks: true, Faults: explore.Faults{Crash: 1}},
	{Name: "duplicate", Nodes: 3, Threads: 1, Requests: 1, Faults: explore.Faults{Duplicate: 1}},
	{Name: "hang", Nodes: 3, Threads: 1, Requests: 1, Faults: explore.Faults{Hang: 1}},
	{Name: "cut", Nodes: 3, Threads: 1, Requests: 1, Faults: explore.Faults{Partition: 1, CutsLast: true}},
	{Name: "partition", Nodes: 3, Threads: 1, Requests: 1, Faults: explore.Faults{Partition: 1}},
}

// Claimed reports whether a claims to hold in t.
func (t Trial) Claimed(a *distributed.Algorithm) bool {
	switch {
	case t.AnyOrder && a.Claims.FIFO, t.AnyTime && a.Claims.Timely && !a.Claims.Hang:
		return false
	case t.Faults == explore.Faults{}:
		return true
	}
	c := a.Claims
	return (t.Faults.Crash == 0 || c.Crash && t.Nodes >= c.CrashFrom) && (t.Faults.Recover == 0 || c.Restart) && (t.Faults.Lose == 0 || c.Loss) && (t.Faults.Duplicate == 0 || c.Duplication) &&
		(t.Faults.Hang == 0 || c.Hang) && (t.Faults.Partition == 0 || c.Wins != nil)
}

// A Verdict is what came of a trial.
type Verdict struct {
	Trial   string           `json:"trial"`
	Claimed bool             `json:"claimed"` // the algorithm claims to hold here
	Breaks  explore.Property `json:"breaks"`  // "": nothing
	Overlap bool             `json:"overlap"` // two are inside, where that is not what is claimed
	Decided bool             `json:"decided"` // all states were seen, or a violation was found
	Smaller *Size            `json:"smaller"` // the smaller system that decided it; null: the trial's own
	States  int              `json:"states"`
}

// Refuted reports whether the verdict refutes a claim.
func (v Verdict) Refuted() bool { return v.Claimed && v.Breaks != "" }

func (v Verdict) String() string {
	if v.Smaller != nil {
		return v.word() + " of " + v.Smaller.String()
	}
	return v.word()
}

// String returns s as "2×4", or "2×∞" where threads ask forever.
func (s Size) String() string {
	if s.Requests == explore.Forever {
		return fmt.Sprintf("%d×∞", s.Nodes)
	}
	return fmt.Sprintf("%d×%d", s.Nodes, s.Requests)
}

func (v Verdict) word() string {
	switch {
	case v.Breaks != "":
		return string(v.Breaks)
	case !v.Decided:
		return "undecided"
	case v.Overlap:
		return "two enter, resource consistent"
	}
	return "holds"
}

// model returns t for a: timers expire as a's claims suppose. Where a claims that
// they may expire at any time, so that messages could be repeated without end, it
// is two that expire early.
func (t Trial) model(a *distributed.Algorithm) explore.Model {
	m := explore.Model{Threads: t.Threads, Requests: t.Requests, FIFO: a.Claims.FIFO && !t.AnyOrder, Faults: t.Faults, Timing: t.timing(a.Claims.Timely), Invariants: a.Invariants, Apart: a.Apart, Wins: a.Claims.Wins}
	m.GoOn = a.Claims.Hang && (t.AnyTime || t.Faults.Hang > 0)
	if a.Claims.Timers {
		m.Timing = t.timing(true)
		if t.AnyTime {
			m.Timing, m.Faults.Early = explore.Timely, 2
		}
	}
	return m
}

// timing returns when timers expire in t, for algorithms that claim timely delays.
func (t Trial) timing(timely bool) explore.Timing {
	switch {
	case !timely || t.AnyTime:
		return explore.AnyTime
	case t.Ticks:
		return explore.Ticks
	}
	return explore.Timely
}

// Lease is how many ticks permissions last in the trials, for algorithms whose permissions expire.
const Lease = 2

// Algorithm runs all trials on a, giving each up beyond maxStates; a claim that
// has no smaller system to be decided in may have three times as many, and those
// smaller systems a third of it. It leaves out the trial in ticks where there are
// no timers, and those with restarts where the nodes have no rule for one. Names are
// those of the trials to run; none: all.
func Algorithm(ctx context.Context, a *distributed.Algorithm, maxStates int, names ...string) ([]Verdict, error) {
	var verdicts []Verdict
	for _, t := range Trials {
		if len(names) > 0 && !slices.Contains(names, t.Name) || t.Ticks && !a.Claims.Timely && !a.Claims.Timers {
			continue
		}
		v, restarts, err := t.hold(ctx, a, maxStates)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", a.Name, err)
		}
		if t.Faults.Recover > 0 && !restarts {
			continue
		}
		verdicts = append(verdicts, v)
	}
	return verdicts, nil
}

// hold runs t on a, and where that does not decide a claim, t on smaller systems.
// It reports whether a's nodes have a rule for a restart, without which a trial
// with restarts is not run.
func (t Trial) hold(ctx context.Context, a *distributed.Algorithm, maxStates int) (v Verdict, restarts bool, err error) {
	claimed, limit := t.Claimed(a), maxStates
	if claimed && t.Smaller == nil {
		limit *= 3
	}
	v, restarts, err = t.run(ctx, a, limit)
	if claimed && err == nil && !v.Decided {
		for _, size := range t.Smaller {
			of := t
			of.Nodes, of.Requests = size.Nodes, size.Requests
			smaller, _, err := of.run(ctx, a, maxStates/3)
			if err != nil {
				return v, restarts, err
			}
			if smaller.Decided {
				v, v.Smaller = smaller, &size
				break
			}
		}
	}
	v.Claimed = claimed
	return v, restarts, err
}

func (t Trial) run(ctx context.Context, a *distributed.Algorithm, maxStates int) (v Verdict, restarts bool, err error) {
	c := distributed.Config{Nodes: t.Nodes, Threads: t.Threads, Lease: Lease}
	if a.Apart {
		c.Nodes++ // the register, which is none of those that ask
	}
	nodes, err := a.New(c)
	if err != nil {
		return v, false, err
	}
	if _, restarts = distributed.Unwrapped(nodes[0]).(distributed.Recoverer); t.Faults.Recover > 0 && !restarts {
		return v, false, nil
	}
	m := t.model(a)
	m.Nodes, m.MaxStates = explore.Nodes(nodes), maxStates
	v, err = try(ctx, t, m)
	return v, restarts, err
}

// try explores m as trial t.
func try(ctx context.Context, t Trial, m explore.Model) (Verdict, error) {
	r, err := explore.Explore(ctx, m)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return Verdict{}, err
	}
	v := Verdict{Trial: t.Name, States: r.States}
	for k := len(r.Violations) - 1; k >= 0; k-- {
		if p := r.Violations[k].Property; p == explore.MutualExclusion && m.GoOn {
			v.Overlap = true
		} else {
			v.Breaks = p
		}
	}
	v.Decided = r.Complete || v.Breaks != ""
	return v, nil
}
