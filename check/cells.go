package check

import (
	"fmt"
	"strings"

	"shmbench/check/internal/spec"
)

// claims returns the cells of the table from exclusion to invariants. After a panic,
// nothing was explored. For a lock without mutual exclusion, the table shows no other
// property.
func (r *Report) claims() []string {
	if r.PanicFreedom == Violated {
		return []string{"PANICS", "-", "-", "-", "-", "-", "-"}
	}
	cells := []string{r.MutualExclusion.safe(), r.DeadlockFreedom.free(), r.starved(), r.bypass(), r.FCFS.yes(), r.ExitProgress.ends(), r.invariants()}
	if r.MutualExclusion != Violated {
		return cells
	}
	for i, v := range []Verdict{r.DeadlockFreedom, r.StarvationFreedom, Holds, r.FCFS, r.ExitProgress, r.worstInvariant()} {
		if v.Holds() {
			cells[i+1] = "-"
		}
	}
	return cells
}

// modeClaims returns the same cells of the table of modes.
func (r *Report) modeClaims() []string {
	m := r.Modes
	verdicts := []Verdict{m.ReadersTogether, m.ReaderStarvationFreedom, Holds, m.ConcurrentReaders, m.NoEffect, m.WaitFreeTry, m.StrongTry, m.WaitFreeAbort}
	cells := []string{m.ReadersTogether.has("NEVER"), m.starvedReaders(r.N), m.readerBypass(r),
		m.ConcurrentReaders.has("no"), m.NoEffect.has("NO"), m.WaitFreeTry.has("no"), m.StrongTry.has("no"), m.WaitFreeAbort.has("no")}
	for i, v := range verdicts {
		if r.PanicFreedom == Violated || r.MutualExclusion == Violated && v.Holds() {
			cells[i] = "-"
		}
	}
	return cells
}

func (r *Report) starved() string {
	switch {
	case len(r.Starved) == 0:
		return r.StarvationFreedom.word("none", "")
	case len(r.Starved) == r.N:
		return "any"
	}
	return strings.Trim(fmt.Sprint(r.Starved), "[]")
}

// invariants returns the number of the lock's invariants that hold, or says that one is
// violated.
func (r *Report) invariants() string {
	if len(r.Invariants) == 0 {
		return "-"
	}
	return r.worstInvariant().word(fmt.Sprintf("%d hold", len(r.Invariants)), "BROKEN")
}

// worstInvariant returns the verdict on all invariants together.
func (r *Report) worstInvariant() Verdict {
	worst := Holds
	for _, inv := range r.Invariants {
		if worst == Holds || inv.Verdict == Violated {
			worst = inv.Verdict
		}
	}
	return worst
}

func (r *Report) bypass() string {
	switch {
	case r.FCFS == NoDoorway:
		return r.FCFS.yes()
	case r.Bypass == nil:
		return "?"
	case spec.AtLimit(r.N, r.Passages, *r.Bypass):
		return fmt.Sprintf("at least %d", *r.Bypass)
	}
	return spec.Bound(*r.Bypass)
}

// has returns the verdict in a cell of the table of modes.
func (v Verdict) has(violated string) string {
	if v == "" {
		return "-"
	}
	return v.word("yes", violated)
}

func (m *Modes) starvedReaders(n int) string {
	if m.ReaderStarvationFreedom == "" {
		return "-"
	}
	return (&Report{N: n, Starved: m.StarvedReaders, StarvationFreedom: m.ReaderStarvationFreedom}).starved()
}

func (m *Modes) readerBypass(r *Report) string {
	switch {
	case m.ReaderStarvationFreedom == "":
		return "-"
	case m.ReaderBypass == nil:
		return "?"
	}
	return (&Report{N: r.N, Passages: r.Passages, Bypass: m.ReaderBypass}).bypass()
}
