package history

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"shmbench/distributed"
	"shmbench/distributed/natsnet/resource"
)

// A Verdict is the result of judging a run.
type Verdict struct {
	Entries int  `json:"entries"`
	Holds   bool `json:"holds"`   // the judge found no violation
	Decided bool `json:"decided"` // the judge found a violation or ruled violations out

	// Detail describes the violation if the judge found one. If the judge is
	// undecided, Detail gives the reason. Otherwise Detail names the evidence for
	// the verdict.
	Detail string `json:"detail"`
}

// Evidence is the input of Judge.
type Evidence struct {
	Histories []*History

	// Resource is the state of the resource after the run, or nil if this state
	// is unknown.
	Resource *resource.State

	// OneClock states that all times come from one clock.
	OneClock bool

	// Within is the longest time that the judge may spend on comparing times.
	Within time.Duration
}

// Judge decides from outside whether a run kept mutual exclusion and gave ever greater
// tokens.
//
// The judge always compares the tokens, and the writes that the resource took and refused. If
// all times come from one clock, the times also show whether the history is that of a mutex.
// With several clocks, only the resource shows that the critical sections followed one another:
// each thread read the value that the previous thread had written. With one clock, the same
// values show that no entry is missing. If a part of this evidence is missing, the run is undecided.
func Judge(e Evidence) Verdict {
	all := e.entries()
	inside := slices.DeleteFunc(slices.Clone(all), func(e Entry) bool { return e.Entered == 0 })
	v := Verdict{Entries: len(inside), Holds: true}
	timed := Verdict{Holds: true}
	if e.OneClock {
		timed = checkTimes(inside, e.Within)
	}
	for _, violation := range []func() string{
		func() string { return tokens(inside) },
		func() string { return timed.Detail },
		func() string { return refusals(inside) },
		func() string { return lost(inside, e.Resource) },
	} {
		if v.Detail = violation(); v.Detail != "" {
			v.Holds, v.Decided = false, true
			return v
		}
	}
	switch {
	case v.Entries == 0:
		v.Detail = "no thread has entered: there is nothing to judge"
	case e.missing() != "":
		v.Detail = e.missing()
	case e.OneClock && !timed.Decided:
		v.Detail = fmt.Sprintf("the times were not compared within %v", e.Within)
	default:
		if v.Detail = e.unexplained(inside); v.Detail != "" {
			break
		}
		v.Decided, v.Detail = true, "each thread read from the resource what the one before had written"
		if e.OneClock {
			v.Detail = "the times are those of a mutex with growing tokens"
		}
	}
	return v
}

// entries returns the entries of all histories.
func (e *Evidence) entries() (all []Entry) {
	for _, h := range e.Histories {
		all = append(all, h.Entries...)
	}
	return all
}

// missing names the nodes whose histories there are none of; "": all are there.
func (e *Evidence) missing() string {
	if len(e.Histories) == 0 {
		return "there is no history"
	}
	there := make([]bool, e.Histories[0].Processes[0].Nodes)
	for _, h := range e.Histories {
		there[h.Processes[0].Node] = true
	}
	var names []string
	for i, is := range there {
		if !is {
			names = append(names, fmt.Sprint(i))
		}
	}
	if len(names) == 0 {
		return ""
	}
	const most = 10
	if len(names) > most {
		names = append(names[:most], "…")
	}
	return "the histories of these nodes are missing: " + strings.Join(names, ", ")
}

// byToken returns entries in the order of their tokens.
func byToken(entries []Entry) []Entry {
	sorted := slices.Clone(entries)
	slices.SortStableFunc(sorted, func(a, b Entry) int { return a.Fence.Compare(b.Fence) })
	return sorted
}

// tokens returns what is wrong with the tokens of entries: no two permissions have
// the same, and those of a process grow.
func tokens(inside []Entry) string {
	sorted := byToken(inside)
	for k := 1; k < len(sorted); k++ {
		if a, b := sorted[k-1], sorted[k]; a.Fence == b.Fence {
			return fmt.Sprintf("nodes %d and %d both entered with token %v", a.Node, b.Node, a.Fence)
		}
	}
	type process struct {
		node distributed.ID
		pid  int
	}
	last := map[process]Entry{}
	byTime := slices.Clone(inside)
	slices.SortStableFunc(byTime, func(a, b Entry) int { return cmp.Compare(a.Entered, b.Entered) }) // of one process: of one clock
	for _, e := range byTime {
		p := process{e.Node, e.PID}
		if before, again := last[p]; again && e.Fence.Compare(before.Fence) < 0 {
			return fmt.Sprintf("node %d entered with token %v after token %v", e.Node, e.Fence, before.Fence)
		}
		last[p] = e
	}
	return ""
}
