package kills

import (
	"fmt"
	"sync/atomic"

	"shmbench/internal/run/supervise"
	"shmbench/shm"
	"shmbench/shm/region"
	"shmbench/shm/spin"
)

// regionSize is enough for any lock of the catalog and what is beside it.
const regionSize = 16 << 20

// shared is what the processes share: the lock, and what tells whether it does its duty.
type shared struct {
	lock shm.Mutex
	// ending: no process is killed any more, and each makes its last passages.
	ending atomic.Bool
	_      shm.Pad
	// holder is the process in its critical section and its life, or 0: see holding.
	holder atomic.Uint64
	_      shm.Pad
	// begun and ended count the critical sections. They are plain, and differ only between.
	begun, ended uint64
	_            shm.Pad
	found        atomic.Uint32 // what follows is written by the process that sets it
	by           int
	met          uint64 // the holder
	process      []process
}

// process is what the supervisor reads of a process.
type process struct {
	_       shm.Pad
	section atomic.Uint32
	lives   atomic.Uint64 // how many lives it has begun
	entered atomic.Uint64 // how many critical sections it has begun
	killed  atomic.Uint64 // the life in which it is killed, from 1 on
	_       shm.Pad
}

// holding is the value of holder for a life of a process; lives are counted from 0.
func holding(pid, life int) uint64 { return uint64(life)<<16 | uint64(pid+1) }

// of returns the process and the life that a value of holder tells of.
func of(holder uint64) (pid, life int) { return int(holder&0xffff) - 1, int(holder >> 16) }

// newShared builds the lock and puts it into a region with what is beside it. The error is a
// *region.Refusal if the lock cannot be shared.
func newShared(r *region.Region, a shm.Algorithm, n int) (*shared, error) {
	if err := region.Movable(a, n); err != nil {
		return nil, fmt.Errorf("%s: %w", a.Name, err)
	}
	lock, err := a.New(n)
	if err != nil {
		return nil, err
	}
	s, err := region.Put(r, &shared{lock: lock, process: make([]process, n)})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", a.Name, err)
	}
	r.Wait(spin.OSYield, n)
	return s, nil
}

// sharedOf returns what the processes of a region share.
func sharedOf(c supervise.Child) (*shared, error) { return region.Root[shared](c.Region, 0) }

// meets says that a process in its critical section has found another one that holds the lock.
func (s *shared) meets(pid int, holder uint64) {
	if s.found.CompareAndSwap(0, 1) {
		s.by, s.met = pid, holder
		s.found.Store(2)
	}
}

// broken returns what the processes have found, or nil. It is called when none runs.
func (s *shared) broken() *Found {
	if s.found.Load() != 2 {
		return nil
	}
	if s.met == 0 {
		return &Found{"mutual exclusion", fmt.Sprintf("process %d found the counters of another critical section", s.by)}
	}
	pid, life := of(s.met)
	if s.process[pid].killed.Load() > uint64(life) { // in that life, or in a later one before it entered
		return &Found{"re-entry", fmt.Sprintf("process %d entered after process %d was killed in its critical section and before that process had entered again", s.by, pid)}
	}
	return &Found{"mutual exclusion", fmt.Sprintf("process %d entered while process %d was in its critical section", s.by, pid)}
}

// entered returns how many critical sections have begun.
func (s *shared) entered() (sum uint64) {
	for i := range s.process {
		sum += s.process[i].entered.Load()
	}
	return sum
}

// places says in which section each process is.
func (s *shared) places() (text string) {
	for i := range s.process {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprintf("process %d: %s", i, SectionNames[s.process[i].section.Load()])
	}
	return text
}
