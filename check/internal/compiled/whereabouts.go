package compiled

import (
	"fmt"

	"shmbench/check/internal/interp"
	"shmbench/check/internal/replay/harness"
	"shmbench/shm"
)

// place is where a process is, by the interpreter, after one of its steps: the
// step is made, with all that is quiet behind it, when so many events have been.
type place struct {
	events int
	pid    int
	pass   bool // the step is the one of a call that makes no access
	passage
}

// passage is the section of a process, the mode of its passage, and whether its
// giveUp has returned true.
type passage struct {
	section interp.Section
	mode    shm.Mode
	gaveUp  bool
}

func (p passage) String() string {
	text := fmt.Sprintf("in the %s section of a passage in mode %v", p.section, p.mode)
	if p.gaveUp {
		text += ", and has given up"
	}
	return text
}

// comes notes where an access has led a process to.
func (f *forecast) comes(pid int, by *interp.Access, to *interp.State) {
	f.places = append(f.places, place{len(f.events), pid, by.Op == interp.Pass, passage{to.Section, to.Mode, to.GaveUp}})
}

// whereabouts is where processes are in the compiled lock, by the calls that the
// harness makes there: it has made each call by itself, and seen what the call
// returned. What it cannot tell is which accesses are steps.
type whereabouts struct {
	places []place // to come
	first  harness.Standing
	made   int // events
	procs  []process
}

// process is where a process stands, and whether it has made a step since its call
// began. A call that has ended without a step has its one step still to make: the
// process stands there until then.
type process struct {
	stands  harness.Standing
	stepped bool
	passes  []harness.Standing // those calls, the oldest first
}

// newWhereabouts returns those of n processes that all are in one place at first.
func newWhereabouts(places []place, n int, first harness.Standing) *whereabouts {
	w := &whereabouts{places: places, first: first, procs: make([]process, n)}
	for pid := range w.procs {
		w.procs[pid].stands = first
	}
	return w
}

// differs says where a process is in the compiled lock after an event, if the
// interpreter has it elsewhere, or returns "".
func (w *whereabouts) differs(got harness.Event, want expected) string {
	if want.crashed {
		w.procs[want.pid] = process{stands: w.first}
	} else {
		w.procs[want.pid].follow(got, want)
	}
	for w.made++; len(w.places) > 0 && w.places[0].events <= w.made; w.places = w.places[1:] {
		at := w.places[0]
		p := &w.procs[at.pid]
		if at.pass && len(p.passes) > 0 {
			p.passes = p.passes[1:]
		}
		if is := p.passage(); is != at.passage {
			return fmt.Sprintf("process %d is %v, not %v", at.pid, is, at.passage)
		}
	}
	return ""
}

// follow follows a process over an event.
func (p *process) follow(got harness.Event, want expected) {
	switch {
	case want.flushed:
		return
	case want.access == nil && want.quiet.Op == interp.Pass && p.stands.Recovers():
		// Lock goes on in the same section.
		p.stepped = p.stepped && got.Then.Call() == harness.Enters && !got.Then.Recovers()
	case want.access == nil && want.quiet.Op == interp.Pass: // the end of a call
		if !p.stepped {
			p.passes = append(p.passes, p.stands)
		}
		p.stepped = false
	case want.access != nil && !want.access.Decides():
		p.stepped = true
	}
	p.stands = got.Then
}

// passage returns where the process is.
func (p *process) passage() passage {
	stands, stepped := p.stands, p.stepped
	if len(p.passes) > 0 {
		stands, stepped = p.passes[0], false
	}
	at := passage{mode: shm.Mode(stands.Mode()), gaveUp: stands.GaveUp()}
	switch {
	case stands.Call() == harness.Leaves && stepped:
		at.section = interp.Exit
	case stands.Call() == harness.Leaves:
		at.section = interp.Critical
	case stands.Recovers() && stepped:
		at.section = interp.Recovery
	case stands.Call() == harness.Enters && stepped:
		at.section = interp.Entry
	}
	return at
}
