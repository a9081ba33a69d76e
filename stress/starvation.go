package stress

import (
	"fmt"
	"time"

	"shmbench/internal/run/goroutine"
)

// A process starves if others enter so often while it waits, and it has its
// turn on the processor between any two of their passages, for so long that no
// lock that it waits for can have an excuse: stalls and sleeps in the lock's own
// code are shorter, or seen.
const (
	judgeInterval = 2 * time.Millisecond
	starvedEnters = 5000
	starvedLooks  = 30
	starvedTime   = 300 * time.Millisecond
	fed           = 3 // passages of a process after which it does not starve
)

// starvation judges an unfair phase by the passages of others.
type starvation struct {
	r      *runner
	active []int
	begun  []uint64 // where each process was when the phase began
	at     []uint64 // where it was at the last look
	since  []uint64 // the passages of all when it was last seen to move, or delayed
	when   []time.Time
	looks  []int  // at which others had moved and it had not
	total  uint64 // passages of all
}

func newStarvation(r *runner, active []int) *starvation {
	s := &starvation{r: r, active: active, since: make([]uint64, len(active)), when: make([]time.Time, len(active)), looks: make([]int, len(active))}
	for _, id := range active {
		at := r.procs[id].at.Load()
		s.begun, s.at = append(s.begun, at), append(s.at, at)
		s.when[len(s.at)-1] = time.Now()
	}
	return s
}

// judge looks at the processes, and reports whether the phase has shown what
// it can: no process starves, or a process does, which it notes.
func (s *starvation) judge() (shown bool) {
	total, hungry := uint64(0), false
	at := make([]uint64, len(s.active))
	for i, id := range s.active {
		at[i] = s.r.procs[id].at.Load()
		made := entered(at[i]) - entered(s.begun[i])
		total += made
		hungry = hungry || made < fed && !s.r.mayStarve(s.r.procs[id])
	}
	if !hungry {
		return true
	}
	stacks := goroutine.Dump()
	for i, id := range s.active {
		stack := stacks[int(s.r.procs[id].goroutine.Load())]
		switch {
		case at[i] != s.at[i] || at[i]%sections != entry || stack.Delayed():
			s.since[i], s.when[i], s.looks[i] = total, time.Now(), 0
		case s.r.mayStarve(s.r.procs[id]):
		case total != s.total:
			s.looks[i]++
		}
		if enters := total - s.since[i]; s.looks[i] >= starvedLooks && enters >= starvedEnters && time.Since(s.when[i]) >= starvedTime {
			s.r.tally.note(starved, fmt.Sprintf("process %d waits while others enter %d times, and has its turn on the processor between any two: %v", id, enters, stack))
			return true
		}
	}
	s.at, s.total = at, total
	return false
}
