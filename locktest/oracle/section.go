// Package oracle is a critical section that shows whether a lock excludes:
// state which is whole only if processes enter one at a time.
package oracle

import "fmt"

// words is how many words a Section has; they span several cache lines.
const words = 24

// Section is the state that a critical section guards. It is plain memory,
// which only the lock under test protects, so that the race detector sees
// also what the checks below happen to miss. The zero Section is ready.
type Section struct {
	owner int // the id of the process inside, plus one; 0 for no process
	words [words]uint64
}

// The oracles that a Section has.
const (
	Owner = "owner register" // another process's id where no process's or one's own should be
	Words = "plain words"    // the words differ where they should be equal
	Count = "counts"         // more or fewer critical sections than processes made
)

// An Overlap says that a critical section was not exclusive.
type Overlap struct {
	Oracle string // Owner, Words or Count
	PID    int    // the process that noticed; -1 if it shows only at the end
	Detail string
}

func (o *Overlap) Error() string {
	if o.PID < 0 {
		return fmt.Sprintf("%s: %s", o.Oracle, o.Detail)
	}
	return fmt.Sprintf("%s: in the critical section of process %d, %s", o.Oracle, o.PID, o.Detail)
}

// Pass is one critical section of process pid. It checks the state, and takes
// it from one whole value to the next. It calls linger while the state is
// torn, so that an overlap has time to show. It returns an *Overlap or nil.
func (s *Section) Pass(pid int, linger func()) error {
	var seen *Overlap
	note := func(oracle, format string, args ...any) {
		if seen == nil {
			seen = &Overlap{Oracle: oracle, PID: pid, Detail: fmt.Sprintf(format, args...)}
		}
	}
	me := pid + 1
	if s.owner != 0 {
		note(Owner, "process %d had not left", s.owner-1)
	}
	s.owner = me
	old := s.words[0]
	for i, w := range s.words {
		if w != old {
			note(Words, "word %d was %d where word 0 was %d", i, w, old)
			break
		}
	}
	half := s.words[:words/2]
	for i := range half {
		half[i] = old + 1
	}
	linger()
	for i := words / 2; i < words; i++ {
		s.words[i] = old + 1
	}
	for i, w := range s.words {
		if w != old+1 {
			note(Words, "word %d became %d after it had been set to %d", i, w, old+1)
			break
		}
	}
	switch s.owner {
	case me:
	case 0:
		note(Owner, "another process entered and left")
	default:
		note(Owner, "process %d entered", s.owner-1)
	}
	s.owner = 0
	if seen == nil {
		return nil
	}
	return seen
}

// Look is one critical section of process pid that only reads: it checks that the
// state is whole and, when linger has returned, that no process has written. Several may
// look at once. It returns an *Overlap or nil.
func (s *Section) Look(pid int, linger func()) error {
	if s.owner != 0 {
		return &Overlap{Oracle: Owner, PID: pid, Detail: fmt.Sprintf("which only reads, process %d had not left", s.owner-1)}
	}
	old := s.words[0]
	linger()
	if s.owner != 0 {
		return &Overlap{Oracle: Owner, PID: pid, Detail: fmt.Sprintf("which only reads, process %d entered", s.owner-1)}
	}
	for i, w := range s.words {
		if w != old {
			return &Overlap{Oracle: Words, PID: pid, Detail: fmt.Sprintf("which only reads, word %d was %d where word 0 had been %d", i, w, old)}
		}
	}
	return nil
}

// Total compares the passages that the state remembers with those that the
// processes made by Pass, and returns an *Overlap if they differ. No process may be
// inside.
func (s *Section) Total(made uint64) error {
	if s.words[0] == made {
		return nil
	}
	return &Overlap{Oracle: Count, PID: -1,
		Detail: fmt.Sprintf("the processes made %d passages, the state remembers %d", made, s.words[0])}
}
