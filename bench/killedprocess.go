package bench

import (
	"context"
	"sync/atomic"

	"shmbench/internal/machine/clock"
	"shmbench/internal/run/supervise"
	"shmbench/shm"
	"shmbench/shm/region"
)

// killedService is the service of the processes that are killed.
const killedService = "killed process"

// killable is what the processes of a sample with kills share, in a region.
type killable struct {
	lock      shm.Mutex
	cs, ncs   int // steps of work
	lines     []line
	over      atomic.Bool
	_         shm.Pad
	holder    atomic.Int64 // the process that is in its critical section, and 1; or 0
	_         shm.Pad
	met       atomic.Uint64 // passages that found another process there
	processes []life
}

// life is what the supervisor reads of a process.
type life struct {
	_         shm.Pad
	entered   atomic.Uint64 // critical sections of all its lives
	recovers  atomic.Int64  // when this life called Recover, or 0
	recovered atomic.Int64  // when this life first entered its critical section, or 0
	_         shm.Pad
}

// passages returns how many critical sections there have been.
func (s *killable) passages() (sum uint64) {
	for i := range s.processes {
		sum += s.processes[i].entered.Load()
	}
	return sum
}

// serveKilled is called first in main: in a process of measureKilled it makes passages until
// the sample is over.
func serveKilled(ctx context.Context) {
	supervise.Serve(ctx, killedService, func(_ context.Context, c supervise.Child, seed uint64) (struct{}, error) {
		s, err := region.Root[killable](c.Region, 0)
		if err == nil {
			s.live(c.Number, seed)
		}
		return struct{}{}, err
	})
}

// live is one life of a process.
func (s *killable) live(pid int, x uint64) {
	lock, p := s.lock.(shm.Recoverable), &s.processes[pid]
	p.recovered.Store(0)
	p.recovers.Store(clock.Now())
	for inside := shm.Recover(lock, pid); !inside; {
		inside = shm.Recover(lock, pid) // the exit section was completed
	}
	p.recovered.Store(clock.Now())
	for {
		x = s.section(pid, x)
		lock.Unlock(pid)
		if s.ncs > 0 {
			x = work(s.ncs, x)
		}
		if s.over.Load() {
			return
		}
		lock.Lock(pid)
	}
}

// section is the critical section of process pid. A process that was killed there finds its
// own number.
func (s *killable) section(pid int, x uint64) uint64 {
	if holder := s.holder.Load(); holder != 0 && holder != int64(pid)+1 {
		s.met.Add(1)
	}
	s.holder.Store(int64(pid) + 1)
	p := &s.processes[pid]
	p.entered.Store(p.entered.Load() + 1)
	for i := range s.lines {
		s.lines[i].value++
	}
	if s.cs > 0 {
		x = work(s.cs, x)
	}
	s.holder.Store(0)
	return x
}
