package sim

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"shmbench/distributed"
)

// A Fault is one failure, or one repair, at a set time.
type Fault struct {
	At   time.Duration
	Kind FaultKind
	Node distributed.ID   // Crash, Restart, CrashSending; the sender of Lose and Copy
	To   distributed.ID   // the receiver of Lose and Copy
	Side []distributed.ID // Cut: these nodes are parted from all others
}

// FaultKind says what happens.
type FaultKind uint8

const (
	// Crash stops a node: it takes no event, messages that reach it are lost,
	// its timers and its threads are gone. A thread that was inside is not any
	// more.
	Crash FaultKind = iota

	// Restart starts a node that is down; the nodes must be distributed.Recoverers. Its
	// threads are new and have no requests yet. Earlier messages to it are lost.
	Restart

	// Cut parts the network in two: messages between the sides that are sent
	// or arrive before Heal are lost. A new Cut replaces the one before.
	Cut

	// Heal ends the Cut.
	Heal

	// Lose drops the next message from Node to To.
	Lose

	// Copy delivers the next message from Node to To twice.
	Copy

	// CrashInside is Crash of the node that is inside then, or else of the
	// next to enter.
	CrashInside

	// CrashResting is Crash of a random node without a thread that waits or is in its
	// critical section then; of none if there is no such node. Node 0, which is a
	// coordinator in some systems, is not among those drawn.
	CrashResting

	// CrashSending is Crash of Node halfway through the next event in which it
	// sends more than one message: the first half of them goes out.
	CrashSending

	// Hang makes a thread that is inside then, or else the next to enter, stay
	// there forever.
	Hang
)

// String writes f as ParseFaults reads it.
func (f Fault) String() string {
	operand := ""
	switch f.Kind {
	case Crash, Restart, CrashSending:
		operand = fmt.Sprintf(" %d", f.Node)
	case Lose, Copy:
		operand = fmt.Sprintf(" %d>%d", f.Node, f.To)
	case Cut:
		operand = " " + strings.ReplaceAll(strings.Trim(fmt.Sprint(f.Side), "[]"), " ", ",")
	}
	return fmt.Sprintf("%v%s at %v", f.Kind, operand, f.At)
}

var faultNames = [...]string{"crash", "restart", "cut", "heal", "lose", "copy", "crash-inside", "crash-resting", "crash-sending", "hang"}

func (k FaultKind) String() string { return faultNames[k] }

// RandomFaults go on all through a run; zero fields are faults that never
// come. All times between are exponential.
type RandomFaults struct {
	Loss        float64 // probability that a message is lost
	Duplication float64 // probability that a message arrives twice

	Crash  time.Duration // mean time from a node's start to its crash
	Repair time.Duration // mean time from a crash to the restart; 0: never
	Cut    time.Duration // mean time from a whole network to a Cut in two sides at random
	Heal   time.Duration // mean time from there to its Heal; 0: never
}

func (r RandomFaults) check() error {
	for _, p := range [...]float64{r.Loss, r.Duplication} {
		if !(p >= 0 && p <= 1) {
			return fmt.Errorf("a probability of %v for losing or copying a message: want 0 to 1", p)
		}
	}
	for _, d := range [...]time.Duration{r.Crash, r.Repair, r.Cut, r.Heal} {
		if d < 0 || d > LongestTime {
			return fmt.Errorf("a mean time of %v between faults: want 0 (never) to %v", d, LongestTime)
		}
	}
	return nil
}

func (f Fault) check(n int) error {
	known := func(i distributed.ID) error {
		if i < 0 || int(i) >= n {
			return fmt.Errorf("%v at %v: there is no node %d among 0..%d", f.Kind, f.At, i, n-1)
		}
		return nil
	}
	if f.At < 0 || f.At > LongestTime {
		return fmt.Errorf("%v at %v: want a time from 0 to %v", f.Kind, f.At, LongestTime)
	}
	switch f.Kind {
	case Crash, Restart, CrashSending:
		return known(f.Node)
	case Lose, Copy:
		if err := known(f.Node); err != nil {
			return err
		}
		if f.Node == f.To {
			return fmt.Errorf("%v at %v: node %d sends itself no message", f.Kind, f.At, f.To)
		}
		return known(f.To)
	case Cut:
		for i, node := range f.Side {
			if err := known(node); err != nil {
				return err
			}
			if slices.Contains(f.Side[:i], node) {
				return fmt.Errorf("%v at %v: node %d is named twice", f.Kind, f.At, node)
			}
		}
		if len(f.Side) == 0 || len(f.Side) == n {
			return fmt.Errorf("%v at %v: a side of %d of %d nodes separates no nodes", f.Kind, f.At, len(f.Side), n)
		}
	}
	return nil
}
