// Package sim runs the nodes of a message-passing algorithm under a load in a
// simulated network, and measures them. See [Run].
package sim

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"shmbench/distributed"
)

// Options describe one run.
type Options struct {
	Algorithm *distributed.Algorithm
	System    distributed.Config

	Load    Load
	Section Distribution // time inside
	Delay   Distribution // time from sending to arrival

	// Delays are those of the kinds of messages that do not take as long as
	// others. None is longer than Delay's bound.
	Delays map[distributed.Kind]Distribution

	// Overtaking lets the messages of a pair of nodes arrive in any order.
	// Without it a message that would overtake arrives right behind the one
	// before it.
	Overtaking bool

	// Move is the probability that a thread that leaves goes to another node, any of them as
	// likely, before it rests and may ask again. The move is a message of kind Move. A thread
	// that waits or is in its critical section stays.
	Move float64

	Faults []Fault
	Random RandomFaults

	// GoOn makes two inside end nothing: it is counted.
	GoOn bool

	// Tick is the length of a timer's tick, the bound on a delay that the
	// algorithm supposes. Zero means just above Delay.Bound(), so that what
	// arrives in time never arrives together with the end of the time.
	Tick time.Duration

	// Warmup entries are made before measuring starts. The run ends after
	// Entries more.
	Warmup, Entries int

	// Series keeps what the run measures from its first entry on, for WarmUp.
	Series bool

	// Waited, if it is not nil, is called with the waiting time of each measured entry.
	Waited func(time.Duration)

	// Until ends the run at that time of the simulation, whatever the number of
	// entries; zero means never.
	Until time.Duration

	// Patience ends the run when a process waits for so long and no process enters. Zero
	// means 100 times the number of nodes and threads in delays and sections: a run that
	// hangs ends, a slow run does not.
	Patience time.Duration

	Seed uint64
}

// Check reports in one plain line what is wrong with o.
func (o *Options) Check() error {
	if o.Algorithm == nil {
		return errors.New("no algorithm")
	}
	if err := o.System.Check(); err != nil {
		return err
	}
	if err := o.Load.check(); err != nil {
		return err
	}
	if err := o.Section.check(); err != nil {
		return fmt.Errorf("the critical section: %w", err)
	}
	if err := o.checkRegister(); err != nil {
		return err
	}
	if err := o.Delay.check(); err != nil {
		return fmt.Errorf("the delay: %w", err)
	}
	if o.Delay.Bound() == 0 {
		return errors.New("a delay of 0: a message takes time")
	}
	for kind, d := range o.Delays {
		if err := d.check(); err != nil {
			return fmt.Errorf("the delay of %v: %w", kind, err)
		}
		if d.Bound() == 0 || d.Bound() > o.Delay.Bound() {
			return fmt.Errorf("a delay of %v of at most %v: above 0, and at most %v, as of all messages", kind, d.Bound(), o.Delay.Bound())
		}
	}
	if err := o.Random.check(); err != nil {
		return err
	}
	for _, f := range o.Faults {
		if err := f.check(o.System.Nodes); err != nil {
			return err
		}
	}
	switch {
	case o.System.Server && !o.Algorithm.Server:
		return fmt.Errorf("%s has no server: every node asks", o.Algorithm.Name)
	case o.Entries < 1:
		return fmt.Errorf("%d entries: at least 1", o.Entries)
	case !(o.Move >= 0 && o.Move <= 1):
		return fmt.Errorf("a probability of %v to move: 0 to 1", o.Move)
	case o.Move > 0 && o.Load.any:
		return errors.New("threads that move go without requests of any thread: a resting thread is not at one node")
	case o.Move > 0 && o.System.Server:
		return errors.New("threads that move go without a node that only serves, where they could not ask")
	case o.Move > 0 && (len(o.Faults) > 0 || o.Random.Crash > 0 || o.Random.Cut > 0):
		return errors.New("threads that move go without nodes that crash and networks that part")
	case o.Warmup < 0:
		return fmt.Errorf("%d entries of warm-up: at least 0", o.Warmup)
	case o.Tick < 0 || o.Until < 0 || o.Patience < 0:
		return errors.New("the tick, the end and the patience must not be negative")
	case o.Tick > LongestTime || o.Until > clockEnd || o.Patience > clockEnd:
		return fmt.Errorf("a tick of at most %v, an end and a patience of at most %v", LongestTime, time.Duration(clockEnd))
	case o.System.Nodes+o.System.Nodes*o.System.Threads > maxSlots/2:
		return fmt.Errorf("%d nodes of %d threads: at most %d threads in all", o.System.Nodes, o.System.Threads, maxSlots/2)
	}
	return nil
}

// checkRegister reports a fault that would have to befall node 0, of an algorithm
// in which that is a register apart.
func (o *Options) checkRegister() error {
	if !o.Algorithm.Apart {
		return nil
	}
	for _, f := range o.Faults {
		switch {
		case (f.Kind == Crash || f.Kind == Restart || f.Kind == CrashSending) && f.Node == 0:
			return fmt.Errorf("%v: node 0 of %s is a register, which does not crash", f, o.Algorithm.Name)
		case f.Kind == Cut && slices.Contains(f.Side, 0):
			return fmt.Errorf("%v: node 0 of %s is a register, which no cut parts from anybody; name the others", f, o.Algorithm.Name)
		case f.Kind == Cut && len(f.Side) == o.System.Nodes-1:
			return fmt.Errorf("%v: a side of all nodes but the register of %s separates no nodes", f, o.Algorithm.Name)
		}
	}
	if o.Random.Cut > 0 && o.System.Nodes == 2 {
		return fmt.Errorf("cuts every %v: %s with one node beside its register has no nodes to separate", o.Random.Cut, o.Algorithm.Name)
	}
	return nil
}

// delay is that of messages of a kind.
func (o *Options) delay(kind distributed.Kind) Distribution {
	if d, own := o.Delays[kind]; own {
		return d
	}
	return o.Delay
}

func (o *Options) tick() time.Duration {
	return cmp.Or(o.Tick, o.Delay.Bound()+1)
}

func (o *Options) patience() time.Duration {
	threads := float64(o.System.Nodes) * float64(o.System.Threads)
	p := 100 * threads * float64(o.Delay.Bound()+o.Section.Bound())
	return cmp.Or(o.Patience, time.Duration(min(p, clockEnd)))
}
