package sim

import (
	"fmt"
	"math"

	"shmbench/distributed"
)

// A Load says when threads ask. The zero Load is none.
type Load struct {
	kind loadKind
	rate float64
	any  bool
}

type loadKind uint8

const (
	noLoad loadKind = iota
	poisson
	saturated
	single
)

// Poisson lets requests arrive at each node as a Poisson process of the given
// rate (1/s). Each comes from a thread chosen at random among the node's
// threads that neither wait nor are inside; while there is none the process
// stops, and it goes on when a thread of the node leaves.
func Poisson(rate float64) Load { return Load{kind: poisson, rate: rate} }

// PoissonAny is Poisson with the thread chosen among all threads of the node:
// a request that falls on a thread that waits or is inside is lost.
func PoissonAny(rate float64) Load { return Load{kind: poisson, rate: rate, any: true} }

// Saturated lets every thread ask at the start and again whenever it leaves.
func Saturated() Load { return Load{kind: saturated} }

// Single lets one thread at a time ask: a random thread of a random node. It asks some ten to
// twenty message delays after the thread before it has left and the system has come to rest.
func Single() Load { return Load{kind: single} }

// Rate returns the rate (1/s) a node of a Poisson load, otherwise 0.
func (l Load) Rate() float64 { return l.rate }

func (l Load) String() string {
	switch l.kind {
	case poisson:
		return fmt.Sprintf("Poisson, %v/s a node", l.rate)
	case saturated:
		return "saturated: every thread always asks"
	case single:
		return "one request at a time"
	}
	return "none"
}

// The rates that a load may have, in requests a second.
const (
	LeastRate = 1e-6
	MostRate  = 1e6
)

func (l Load) check() error {
	switch {
	case l.kind == noLoad:
		return fmt.Errorf("no load: want a rate, saturation, or one request at a time")
	case l.kind == poisson && !(l.rate >= LeastRate && l.rate <= MostRate): // not a number, too
		if l.rate <= 0 || math.IsNaN(l.rate) {
			return fmt.Errorf("a rate of %v requests a second: it must be above 0", l.rate)
		}
		return fmt.Errorf("a rate of %v requests a second: want %v to %v", l.rate, LeastRate, MostRate)
	}
	return nil
}

// Askers returns the nodes that ask one after the other under a Single load of o. The nodes
// of o have one thread each and do not crash. A real run that follows this order has every
// message where the simulator has one.
func Askers(o *Options) func() distributed.ID {
	choice := newStream(o.Seed, forThreads)
	return func() distributed.ID {
		i := choice.node(o.System.Nodes, func(i distributed.ID) bool { return i > 0 || !o.System.Server })
		choice.below(1) // the one thread
		return i
	}
}

// node returns one of n nodes that may be chosen, all of them as likely.
func (s *stream) node(n int, may func(distributed.ID) bool) distributed.ID {
	for {
		if i := distributed.ID(s.below(int64(n))); may(i) {
			return i
		}
	}
}
