package stress

import (
	"fmt"

	"shmbench/internal/goroutine"
	"shmbench/shm"
)

// mark is left with a process that is known to have ended its doorway.
type mark struct {
	at     uint64   // where the process is
	others []uint64 // where each process was at a moment after that
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
	waits := goroutine.Stack.Waiting
	if r.a.Claims.FCFS || r.a.Claims.Bypass.Of(r.n) != shm.Unbounded {
		waits = goroutine.Stack.PastDoorway
	}
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
