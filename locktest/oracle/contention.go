package oracle

// Contention counts contended passages of a lock: those of a process that began
// its entry section before another process left the critical section. It is told
// of some passages, and counts among these.
// Like a Section it is plain memory, which only the lock under test protects,
// so that counting orders no two processes for the race detector. The counts
// of a lock that does not exclude may be wrong. The zero Contention is ready.
type Contention struct {
	last  int   // the process that left last
	left  int64 // when it left, in nanoseconds of any clock
	count uint64
}

// Enter notes that process pid has entered the critical section, and when it
// began its entry section. It returns the number of contended passages so far.
// The caller is in its critical section.
func (c *Contention) Enter(pid int, began int64) uint64 {
	if pid != c.last && began < c.left {
		c.count++
	}
	return c.count
}

// Leave notes that process pid is about to leave the critical section at a
// time. The caller is in its critical section.
func (c *Contention) Leave(pid int, now int64) { c.last, c.left = pid, now }

// Count returns the number of contended passages. No process may be inside.
func (c *Contention) Count() uint64 { return c.count }
