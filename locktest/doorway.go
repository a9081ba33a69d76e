package locktest

import (
	"errors"
	"runtime"
	"time"

	"shmbench/internal/run/goroutine"
)

var errEntered = errors.New("it entered while another process was in its critical section")

// maxLooks is how often a process is looked at before it is taken for one whose
// waiting cannot be seen. It is then given turns on the only processor, and that
// many times as many while turnsTime has not passed.
const (
	maxLooks  = 200
	turns     = 6
	turnsTime = 20 * time.Millisecond
)

// awaitDoorway returns when process p is certain to have ended its doorway, the
// caller's process being in its critical section and staying there. entered
// says whether p is in its own, which awaitDoorway returns as an error.
//
// A doorway is wait-free, so that a process which waits has passed it, and
// whether a process waits shows in a dump of its goroutine. The polling loop
// of a lock that does not wait through spin.Until looks like any other code;
// for such a lock the processes are given one processor in turn, for several
// turns. Each turn ends when the process yields or after the 10 ms that
// the scheduler gives.
func (s *suite) awaitDoorway(p *process, entered func() bool) error {
	for look := 0; !s.pollsUnseen; look++ {
		if entered() {
			return errEntered
		}
		if id := int(p.goroutine.Load()); id != 0 && p.inLock.Load() && goroutine.Dump()[id].PastDoorway() {
			return nil
		}
		if err := s.ctx.Err(); err != nil {
			return err
		}
		s.pollsUnseen = look >= maxLooks
		time.Sleep(time.Duration(look) * time.Microsecond)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for !p.inLock.Load() {
		runtime.Gosched()
	}
	begin := time.Now()
	for turn := 0; turn < turns || turn < 100*turns && time.Since(begin) < turnsTime; turn++ {
		runtime.Gosched()
	}
	if entered() {
		return errEntered
	}
	return nil
}
