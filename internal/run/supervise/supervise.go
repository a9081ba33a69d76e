// Package supervise runs processes of the operating system that share a region: the children
// of a supervisor, which are the same program.
//
// The supervisor makes a region, puts into it what the children share, and starts them:
//
//	shared, err := supervise.Create(1 << 20) // or region.New("", size), without a file
//	lock, err = region.Put(shared.Region, lock)
//	s := supervise.New[Question, Answer](ctx, shared.Region, "service", 4, died)
//	err = s.Start(0, question)
//	err = s.Wait(interval, look)
//
// A child finds the region in its function of Serve, which main calls first.
//
// # Numbers and lives
//
// A child has a number, as the processes of a lock have. Its number is free again when the
// child has ended and is reaped: from then on Start takes the number for the next life.
// The function died is called at that moment, once for each life, so that it may itself
// restart the child:
//
//	died := func(s *Supervisor[Question, Answer], e End[Answer]) {
//		if e.Killed {
//			s.Start(e.Number, question)
//		}
//	}
//
// Kill ends a child with SIGKILL at whatever instruction it is. The supervisor sends the
// signal to a process that it has started and not reaped, and to no other.
//
// A new supervisor continues after the death of an old one: Adopt attaches to the file that
// the old one has left, in another process of the same program, and Start begins new lives.
//
// # What is left behind
//
// A child ends with its supervisor. The kernel kills it when the supervisor's thread that
// started it ends, and a child whose parent is no longer the supervisor does not begin. A
// region of Create is in a folder of /dev/shm, which Close, the end of main (package cli) and
// Ctrl-C remove. If the supervisor is killed by SIGKILL or by the Go runtime, the folder
// stays, and a later Create removes it: see Create.
package supervise

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"time"

	"shmbench/internal/run/isolate"
	"shmbench/shm/region"
)

// End is the end of one life of a child.
type End[A any] struct {
	Number, Life, PID int
	Answer            *A    // nil if the child ended before it answered
	Killed            bool  // by Kill, or by Stop
	Err               error // of the child, or its *isolate.Crash; nil if it answered and ended
}

// Supervisor starts children, kills them and reaps them.
type Supervisor[Q, A any] struct {
	ctx     context.Context
	region  *region.Region
	service string
	died    func(*Supervisor[Q, A], End[A])
	starts  chan func() // run by one thread: see keeper

	mu       sync.Mutex
	ended    bool
	children []child
	living   int
	changed  chan struct{} // has a value when no child is left
}

// child is what is known of the child of a number.
type child struct {
	life    int // lives begun
	process *os.Process
	killed  bool
}

// New returns a supervisor of children with the numbers 0..n-1, which has started none. Their
// service is the name that they give to Serve. The function died, if it is not nil, is called
// for each life that has ended, on a goroutine of its own. The children are killed when ctx
// ends. Stop must be called at last.
func New[Q, A any](ctx context.Context, r *region.Region, service string, n int, died func(*Supervisor[Q, A], End[A])) *Supervisor[Q, A] {
	s := &Supervisor[Q, A]{ctx: ctx, region: r, service: service, died: died,
		starts: make(chan func()), children: make([]child, n), changed: make(chan struct{}, 1)}
	go s.keeper()
	return s
}

// keeper starts the children, on a thread that ends with the supervisor: the kernel sends a
// child's signal of its parent's death when the thread ends that started the child.
func (s *Supervisor[Q, A]) keeper() {
	runtime.LockOSThread()
	for start := range s.starts {
		start()
	}
}

// question is what a child is asked, and where it finds what it shares.
type question[Q any] struct {
	Parent, Number, Life int
	Region               string
	Question             Q
}

// Start starts the next life of the child of a number. It is an error if the child's last
// life has not been reaped, and after Stop.
func (s *Supervisor[Q, A]) Start(number int, q Q) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if number < 0 || number >= len(s.children) {
		return fmt.Errorf("child %d: the numbers are 0 to %d", number, len(s.children)-1)
	}
	c := &s.children[number]
	switch {
	case s.ended:
		return errors.New("the supervisor has stopped")
	case s.ctx.Err() != nil:
		return s.ctx.Err()
	case c.process != nil:
		return fmt.Errorf("child %d still runs, as process %d: its number is free when it has been reaped", number, c.process.Pid)
	}
	asked := question[Q]{os.Getpid(), number, c.life, s.region.Path(), q}
	var running *isolate.Running[A]
	err := error(nil)
	done := make(chan struct{})
	s.starts <- func() {
		defer close(done)
		running, err = isolate.Start[question[Q], A](s.ctx, "/proc/self/exe", s.service, asked, func(cmd *exec.Cmd) {
			tie(cmd)
			cmd.Cancel = func() error { return cmd.Process.Kill() } // what it has is in the region
		})
	}
	<-done
	if err != nil {
		return fmt.Errorf("child %d: %w", number, err)
	}
	*c = child{life: c.life + 1, process: running.Process()}
	s.living++
	go s.reap(number, asked.Life, running)
	return nil
}

// reap hears a child to its end, frees its number, and reports its death.
func (s *Supervisor[Q, A]) reap(number, life int, running *isolate.Running[A]) {
	e := End[A]{Number: number, Life: life, PID: running.Process().Pid}
	e.Err = running.Hear(func(a A) error { e.Answer = &a; return nil })
	s.mu.Lock()
	e.Killed = s.children[number].killed
	s.children[number].process = nil
	s.mu.Unlock()
	if s.died != nil {
		s.died(s, e)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.living--; s.living == 0 {
		select {
		case s.changed <- struct{}{}:
		default:
		}
	}
}

// Kill kills the child of a number. It is an error if the child does not run.
func (s *Supervisor[Q, A]) Kill(number int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.kill(number)
}

func (s *Supervisor[Q, A]) kill(number int) error {
	c := &s.children[number]
	if c.process == nil {
		return fmt.Errorf("child %d does not run", number)
	}
	c.killed = true
	return c.process.Kill()
}

// Runs reports whether the child of a number has been started and not been reaped.
func (s *Supervisor[Q, A]) Runs(number int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.children[number].process != nil
}

// Life returns which life of the child of a number runs, from 0 on, if one does.
func (s *Supervisor[Q, A]) Life(number int) (life int, runs bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.children[number]
	return c.life - 1, c.process != nil
}

// Wait returns when no child runs: nil, or the error of ctx. Meanwhile it calls look at each
// interval, if look is not nil. An error of look kills the children, and Wait returns it.
func (s *Supervisor[Q, A]) Wait(interval time.Duration, look func() error) error {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	var refused error
	for s.someLive() {
		select {
		case <-s.changed:
		case <-tick.C:
			if look == nil || refused != nil {
				continue
			}
			if refused = look(); refused != nil {
				s.end()
			}
		}
	}
	if refused != nil {
		return refused
	}
	return s.ctx.Err()
}

func (s *Supervisor[Q, A]) someLive() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.living > 0
}

// end kills the children, and lets no other begin.
func (s *Supervisor[Q, A]) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	for i, c := range s.children {
		if c.process != nil {
			s.kill(i)
		}
	}
}

// Stop kills the children that run, and returns when all are reaped.
func (s *Supervisor[Q, A]) Stop() {
	s.end()
	s.Wait(time.Second, nil)
	close(s.starts)
}
