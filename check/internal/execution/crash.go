package execution

import (
	"shmbench/check/internal/automaton"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
)

// The operations of a crash: Crash is a Step in which one process crashes. CrashAll is a Step
// in which all processes crash that are not in their remainder sections.
const (
	Crash    = "crash"
	CrashAll = "crash-all"
)

// SimulateCrashes is Simulate with processes that crash.
func SimulateCrashes(l *automaton.Learner, names *interp.Names, crashes explore.Crashes) *Simulation {
	s := Simulate(l, names, nil)
	s.crashes = &crashes
	return s
}

// hit returns the processes that crash k crashes: of its processes those that are not in
// their remainder sections.
func (s *Simulation) hit(k int) (pids []int) {
	for pid, end := s.crashes.Hit(k, len(s.States)); pid < end; pid++ {
		if st := s.Next(pid); st.Section != interp.Remainder && st.Fault == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// crash lets processes lose their local states.
func (s *Simulation) crash(pids []int) *Taken {
	t := &Taken{Kind: Crashes, Pid: pids[0], From: s.States[pids[0]], state: s.Next(pids[0]), Hit: pids, all: s.crashes.System}
	t.before = t.state.Section
	for _, pid := range pids {
		s.States[pid] = 0
	}
	t.Next = s.Next(t.Pid)
	return t
}

// describeCrash describes a crash by where the process was.
func (s *Simulation) describeCrash(t *Taken) Step {
	pos, label := s.Learner.M.Place(t.state)
	file, line := s.Learner.M.Prog.Place(pos)
	out := Step{Process: t.Pid, File: file, Line: line, Label: label, Op: Crash, Before: t.before.String(), Section: interp.Remainder.String()}
	if t.all {
		out.Op = CrashAll
	}
	return out
}

func (s Step) crashes() bool { return s.Op == Crash || s.Op == CrashAll }

// crashed is a crash in words.
func (s Step) crashed() string {
	switch {
	case s.Op == CrashAll:
		return "all processes crash"
	case s.Before == interp.Critical.String():
		return "crashes in its critical section"
	case s.Label == "":
		return "crashes in its " + s.Before + " section"
	}
	return "crashes before " + s.Label
}
