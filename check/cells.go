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

func (r *Report) starved() string { return starvedCell(r.N, r.Starved, r.StarvationFreedom) }

// starvedCell names the processes of n that can starve, or gives the verdict that none can.
func starvedCell(n int, starved []int, free Verdict) string {
	switch {
	case len(starved) == 0:
		return free.word("none", "")
	case len(starved) == n:
		return "any"
	}
	return strings.Trim(fmt.Sprint(starved), "[]")
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
	if r.FCFS == NoDoorway {
		return r.FCFS.yes()
	}
	return r.bypassCell(r.Bypass)
}

// bypassCell is a bypass, which the limit of passages may bound.
func (r *Report) bypassCell(most *int) string {
	switch {
	case most == nil:
		return "?"
	case spec.AtLimit(r.N, r.Passages, *most):
		return fmt.Sprintf("at least %d", *most)
	}
	return spec.Bound(*most)
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
	return starvedCell(n, m.StarvedReaders, m.ReaderStarvationFreedom)
}

func (m *Modes) readerBypass(r *Report) string {
	if m.ReaderStarvationFreedom == "" {
		return "-"
	}
	return r.bypassCell(m.ReaderBypass)
}
