package stress

import (
	"fmt"

	"shmbench/internal/run/goroutine"
	"shmbench/shm"
)

// mark is left with a process that is known to have ended its doorway.
type mark struct {
	at     uint64   // where the process is
	others []uint64 // where each process was at a moment after that
	// decided says, of a mark that is left before the stack is read, whether the process had
	// ended its doorway; nil for any other mark.
	decided chan bool
}

// markWaiting leaves a mark with each process that is seen to wait in its
// entry section. Where the lock claims something of those that have ended their
// doorway, the process must be certain to have done so; a process that polls in
// a loop of its own or by spin.Pause is not. Where it claims nothing, any wait
// is counted.
//
// Claims of an order are of exclusive passages: where modes are mixed, all that is
// looked for is several readers inside.
func (r *runner) markWaiting(active []int) {
	if r.mixed {
		r.lookForReaders(active)
		return
	}
	at := make(map[int]uint64)
	for _, id := range active {
		p := r.procs[id]
		if a := p.at.Load(); a%sections == entry && p.mark.Load() == nil {
			at[id] = a
		}
	}
	waits := r.waits()
	stacks := goroutine.Dump()
	for id, a := range at {
		p := r.procs[id]
		if p.at.Load() != a || !waits(stacks[int(p.goroutine.Load())]) {
			continue
		}
		m := &mark{at: a}
		for _, q := range r.procs {
			m.others = append(m.others, q.at.Load())
		}
		p.mark.Store(m)
	}
}

// waits returns what shows that a process waits.
func (r *runner) waits() func(goroutine.Stack) bool {
	if r.a.Claims.FCFS || r.a.Claims.Bypass.Of(r.n) != shm.Unbounded {
		return goroutine.Stack.PastDoorway
	}
	return goroutine.Stack.Waiting
}

// markItself is markWaiting for the process of the operating system that calls it, which
// stops only itself. Others go on and can let it in at once. So the mark is there before the
// stack is read, and resolve waits for the decision.
func (r *runner) markItself(p *process) {
	at := p.at.Load()
	if at%sections != entry || p.mark.Load() != nil {
		return
	}
	var m *mark
	stacks := goroutine.DumpThen(func() {
		if p.at.Load() != at {
			return
		}
		m = &mark{at: at, decided: make(chan bool, 1)}
		for _, q := range r.procs {
			m.others = append(m.others, q.at.Load())
		}
		p.mark.Store(m)
	})
	if m != nil {
		m.decided <- r.waits()(stacks[int(p.goroutine.Load())])
	}
}

// lookForReaders notes whether several readers are inside.
func (r *runner) lookForReaders(active []int) {
	inside := 0
	for _, id := range active {
		p := r.procs[id]
		if at := p.at.Load(); at%sections == critical && shm.Mode(p.mode.Load()).Reads() && p.at.Load() == at {
			inside++
		}
	}
	if inside > 1 {
		r.tally.note(together, "")
	}
}

// resolve judges how process p, which has just entered, was overtaken since it
// was marked.
func (r *runner) resolve(p *process, m *mark) {
	p.mark.Store(nil)
	if m.decided != nil && !<-m.decided {
		return // it did not wait
	}
	if m.at+1 != p.at.Load() {
		return // it had entered by the time the mark was there
	}
	total := uint64(0)
	inside, unseen := false, uint64(0)
	for j, q := range r.procs {
		if j == p.id {
			continue
		}
		times := entered(q.at.Load()) - entered(m.others[j])
		total += times
		switch m.others[j] % sections {
		case critical:
			inside = true
		case entry:
			unseen = max(unseen, min(times, 1))
		}
		if r.a.Claims.FCFS && times > 0 && m.others[j]%sections != entry {
			r.tally.note(outOfOrder, fmt.Sprintf("process %d, which had ended its doorway, was overtaken by process %d, which began its own later", p.id, j))
			r.stop.Store(true)
		}
	}
	// Who was in its entry section may have been let in already, and not yet have said
	// so: one, if no process was inside.
	if inside {
		unseen = 0
	}
	bound := r.a.Claims.Bypass.Of(r.n)
	switch {
	case total == 0:
		r.tally.note(notOvertaken, "")
	case bound != shm.Unbounded && total <= uint64(bound)+unseen:
		r.tally.note(withinBound, "")
	case bound != shm.Unbounded:
		r.tally.note(beyondBound, fmt.Sprintf("process %d, which had ended its doorway, was overtaken %d times; the claim is at most %d", p.id, total, bound))
		r.stop.Store(true)
	case total <= manyOvertakings:
		r.tally.note(noBound, "")
	default:
		r.tally.note(manyNoBound, fmt.Sprintf("process %d was overtaken %d times while it waited", p.id, total))
	}
}
