//go:build amd64 || arm64

package region_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"sync/atomic"

	"shmbench/locks/queue"
	"shmbench/shm"
	"shmbench/shm/region"
	"shmbench/shm/spin"
)

// counter is what two processes of one program share: a number, and the lock that guards it.
type counter struct {
	lock  *queue.MCSMutex
	value int
}

// Two processes of one program share a counter.
func Example() {
	r, err := region.New("", 1<<20)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer r.Close()
	lock, err := queue.NewMCS(2, shm.Packed, shm.Sequential)
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := region.Put(r, &counter{lock: lock})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer useDefaultAgain()
	r.Wait(spin.OSYield, 2)

	child := anotherProcess("count", r)
	if err := child.Start(); err != nil {
		fmt.Println(err)
		return
	}
	c.add(0, 1000)
	fmt.Println(child.Wait())
	fmt.Println(c.value)
	// Output:
	// <nil>
	// 2000
}

// add adds to the counter as process i of the lock.
func (c *counter) add(i, times int) {
	for range times {
		c.lock.Lock(i)
		c.value++
		c.lock.Unlock(i)
	}
}

// countInChild is what the other process does.
func countInChild(r *region.Region) error {
	c, err := region.Root[counter](r, 0)
	if err != nil {
		return err
	}
	return r.Guard(func() { c.add(1, 1000) })
}

// pool are tasks for a pool of worker processes. A ticket lock guards next; each task is
// done by one worker, which alone writes its square.
type pool struct {
	lock    *queue.TicketMutex
	next    int
	squares [12]int
	joined  atomic.Int32 // gives each worker its number
}

// A pool of worker processes shares a list of tasks.
func Example_workers() {
	const workers = 3
	r, err := region.New("", 1<<20)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer r.Close()
	lock, err := queue.NewTicket(workers, shm.Padded, shm.Sequential)
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := region.Put(r, &pool{lock: lock})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer useDefaultAgain()
	r.Wait(spin.OSYield, workers)

	var started []*exec.Cmd
	for range workers {
		child := anotherProcess("work", r)
		if err := child.Start(); err != nil {
			fmt.Println(err)
			return
		}
		started = append(started, child)
	}
	for _, child := range started {
		err = errors.Join(err, child.Wait())
	}
	fmt.Println(err)
	fmt.Println(p.squares)
	// Output:
	// <nil>
	// [0 1 4 9 16 25 36 49 64 81 100 121]
}

// workInChild takes tasks until there are none.
func workInChild(r *region.Region) error {
	p, err := region.Root[pool](r, 0)
	if err != nil {
		return err
	}
	i := int(p.joined.Add(1)) - 1
	return r.Guard(func() {
		for {
			p.lock.Lock(i)
			task := p.next
			p.next++
			p.lock.Unlock(i)
			if task >= len(p.squares) {
				return
			}
			p.squares[task] = task * task
		}
	})
}

// anotherProcess is this program again, with the region and what to do in its environment.
func anotherProcess(what string, r *region.Region) *exec.Cmd {
	child := exec.Command("/proc/self/exe")
	child.Env = append(os.Environ(), "EXAMPLE_DOES="+what, "EXAMPLE_REGION="+r.Path())
	child.Stderr = os.Stderr
	return child
}

// init is the start of main in such a program: the process does its part, and ends.
func init() {
	parts := map[string]func(*region.Region) error{"count": countInChild, "work": workInChild}
	part, ok := parts[os.Getenv("EXAMPLE_DOES")]
	if !ok {
		return
	}
	runtime.GOMAXPROCS(1) // a process of the lock needs one processor
	r, err := region.Attach(os.Getenv("EXAMPLE_REGION"))
	if err == nil {
		err = part(r)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// useDefaultAgain makes other examples of this program wait as usual.
func useDefaultAgain() {
	spin.Among(0)
	spin.Use(spin.PauseYield)
}
