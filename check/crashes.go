package check

import (
	"fmt"
	"strconv"
	"strings"

	"shmbench/check/internal/verdict"
)

// MaxCrashes is the largest value of Crashes.Most.
const MaxCrashes = 255

// ParseCrashes parses a text that String returns.
func ParseCrashes(text string) (c Crashes, err error) {
	most := text
	if rest, ok := strings.CutPrefix(text, "system"); ok {
		c.System = true
		if rest == "" {
			return c, nil
		}
		if most, ok = strings.CutPrefix(rest, ":"); !ok {
			most = ""
		}
	} else if text == "any" {
		return c, nil
	}
	c.Most, err = strconv.Atoi(most)
	if err != nil || c.Most < 1 || c.Most > MaxCrashes {
		return c, fmt.Errorf("%q is not a kind of crashes: write any, system, a number from 1 to %d, or system and a number, as in system:1", text, MaxCrashes)
	}
	return c, nil
}

// CrashVerdicts has the verdicts, besides those of the Report, on a lock whose processes crash. In
// the Report, deadlock freedom and StarvationFreedom are about executions with finitely many
// crashes. MutualExclusion does not count a process that has crashed in its critical section.
// ExitWaitFree allows any crashes of other processes.
type CrashVerdicts struct {
	// Crashes is the text of Crashes.String, and Recovers reports whether the lock has Recover.
	Crashes  string `json:"crashes"`
	Recovers bool   `json:"recovers"`
	// Reentry is the verdict on critical-section reentry: after a process has crashed in its critical
	// section, no other process enters before that process has entered again.
	Reentry Verdict `json:"reentry"`
	// RecoverResult is the verdict that Recover returns one of the outcomes of package shm. It is empty
	// if the lock has no Recover.
	RecoverResult Verdict `json:"recover_result,omitempty"`
	// StrongStarvationFreedom is the verdict that each process eventually enters, if each
	// super-passage has finitely many crashes. A super-passage ends with a passage without a crash.
	StrongStarvationFreedom Verdict `json:"strong_starvation_freedom"`
	// StrongFCFS is the verdict that a process past its doorway enters before every process that
	// begins its super-passage later. The first process may crash while it waits. In the Report,
	// FCFS says so of a process that does not crash while it waits.
	StrongFCFS Verdict `json:"strong_fcfs"`
	// BoundedReentry is the verdict on ReentrySteps: after a crash in its critical section, a process
	// is there again within that number of its own steps, unless it crashes on the way.
	// RecoverySteps and ExitSteps bound Recover and the exit section likewise. Each is -1 if there is
	// no bound, and nil if it is unknown.
	BoundedReentry  Verdict `json:"bounded_reentry"`
	BoundedRecovery Verdict `json:"bounded_recovery"`
	ReentrySteps    *int    `json:"reentry_steps"`
	RecoverySteps   *int    `json:"recovery_steps"`
	ExitSteps       *int    `json:"exit_steps"`
	// RMR is the worst-case number of remote memory references of a passage. A crash of the process
	// ends its passage and empties its cache. RMR has no figure for an uncontended passage. RMR is nil
	// if not every state was visited.
	RMR *RMR `json:"rmr,omitempty"`

	kind Crashes
}

func (c *CrashVerdicts) all() []property {
	if c == nil {
		return nil
	}
	return []property{{verdict.Reentry, &c.Reentry}, {verdict.RecoverResult, &c.RecoverResult}, {verdict.StrongStarvationFreedom, &c.StrongStarvationFreedom}, {verdict.StrongFirstComeFirstServed, &c.StrongFCFS},
		{verdict.BoundedReentry, &c.BoundedReentry}, {verdict.BoundedRecovery, &c.BoundedRecovery}}
}
