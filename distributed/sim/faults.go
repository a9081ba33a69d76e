package sim

import (
	"fmt"
	"slices"
	"time"

	"shmbench/distributed"
)

// faults is which nodes are down, and the random streams of what goes wrong.
type faults struct {
	down         []bool
	downs        int
	incarnation  []uint32 // how often the node has crashed and restarted, together
	played       []bool   // by place in Options.Faults
	vain         []string // faults planned that found nothing to do, and why
	crashNext    bool     // CrashInside waits for a thread to enter
	hangNext     bool     // Hang waits for a thread to enter
	crashSending []bool   // CrashSending waits for the node to send
	crashes      stream
	cuts         stream
}

func newFaults(o *Options) faults {
	return faults{
		down:         make([]bool, o.System.Nodes),
		incarnation:  make([]uint32, o.System.Nodes),
		played:       make([]bool, len(o.Faults)),
		crashSending: make([]bool, o.System.Nodes),
		crashes:      newStream(o.Seed, forCrashes),
		cuts:         newStream(o.Seed, forCuts),
	}
}

// startFaults schedules what is planned and the first of what comes at random.
func (e *engine) startFaults() {
	for i, f := range e.o.Faults {
		e.schedule(int64(f.At), event{kind: planned, msg: distributed.Message{Thread: distributed.Thread(i)}})
	}
	if e.o.Random.Crash > 0 {
		for i := range e.n {
			if i == 0 && e.o.Algorithm.Apart {
				continue
			}
			e.later(&e.crashes, e.o.Random.Crash, crash, distributed.ID(i))
		}
	}
	e.later(&e.cuts, e.o.Random.Cut, cut, 0)
}

// later schedules a random fault after an exponential time; a mean of zero is
// never.
func (e *engine) later(s *stream, mean time.Duration, kind eventKind, node distributed.ID) {
	if mean > 0 {
		e.schedule(e.now+int64(scale(s.exponential(), mean)), event{kind: kind, msg: distributed.Message{To: node}})
	}
}

// plannedFault plays a fault of Options.Faults.
func (e *engine) plannedFault(f Fault) {
	switch f.Kind {
	case Crash:
		if e.down[f.Node] {
			e.inVain(f, "the node was down")
		}
		e.crash(f.Node)
	case Restart:
		if !e.down[f.Node] {
			e.inVain(f, "the node was up")
		}
		e.restart(f.Node)
	case Cut:
		clear(e.side)
		for _, i := range f.Side {
			e.side[i] = true
		}
		e.parted = true
	case Heal:
		e.parted = false
	case Lose, Copy:
		e.next = append(e.next, f)
	case CrashInside:
		if len(e.inside) > 0 {
			e.crash(e.inside[0].node)
		} else {
			e.crashNext = true
		}
	case Hang:
		if at := slices.IndexFunc(e.inside, func(q insider) bool { return !q.hangs }); at >= 0 {
			e.hang(&e.inside[at])
		} else {
			e.hangNext = true
		}
	case CrashSending:
		e.crashSending[f.Node] = true
	case CrashResting:
		var resting []distributed.ID
		for i := distributed.ID(1); int(i) < e.n; i++ {
			if !e.down[i] && int(e.restingN[i]) == e.m {
				resting = append(resting, i)
			}
		}
		if len(resting) == 0 {
			e.inVain(f, "no node rested")
			return
		}
		e.crash(resting[e.crashes.below(int64(len(resting)))])
	}
}

func (e *engine) inVain(f Fault, why string) {
	e.vain = append(e.vain, fmt.Sprintf("%v: %s", f, why))
}

// notCarriedOut says which of the faults planned had no effect, and why.
func (e *engine) notCarriedOut() []string {
	vain := slices.Clone(e.vain)
	for i, f := range e.o.Faults {
		if !e.played[i] {
			vain = append(vain, fmt.Sprintf("%v: the run ended before", f))
		} else if f.Kind == CrashInside && e.crashNext {
			vain = append(vain, fmt.Sprintf("%v: no thread entered any more", f))
		} else if f.Kind == Hang && e.hangNext {
			vain = append(vain, fmt.Sprintf("%v: no thread entered any more", f))
		} else if f.Kind == CrashSending && e.crashSending[f.Node] {
			vain = append(vain, fmt.Sprintf("%v: it sent no two messages at once any more", f))
		}
	}
	for _, f := range e.next {
		vain = append(vain, fmt.Sprintf("%v: there was no such message any more", f))
	}
	return vain
}

// randomFault plays a random fault and schedules its successor.
func (e *engine) randomFault(ev event) {
	node := ev.msg.To
	switch ev.kind {
	case crash:
		e.crash(node)
		e.later(&e.crashes, e.o.Random.Repair, repair, node)
	case repair:
		e.restart(node)
		e.later(&e.crashes, e.o.Random.Crash, crash, node)
	case cut:
		least := int64(0) // of the nodes that a cut parts
		if e.o.Algorithm.Apart {
			least = 1
		}
		of := int64(e.n) - least
		first := e.cuts.below(of) // on one side for certain, its successor on the other
		for i := range e.side {
			e.side[i] = e.cuts.below(2) == 0
		}
		e.side[least+first], e.side[least+(first+1)%of] = true, false
		e.parted = true
		e.later(&e.cuts, e.o.Random.Heal, heal, 0)
	case heal:
		e.parted = false
		e.later(&e.cuts, e.o.Random.Cut, cut, 0)
	}
}

// crash takes node i down with its threads and timers.
func (e *engine) crash(i distributed.ID) {
	if e.down[i] {
		return
	}
	e.down[i] = true
	e.downs++
	e.incarnation[i]++
	e.meter.crashes++
	e.timers[i].stop()
	single := e.o.Load.kind == single
	for t := range e.m {
		switch e.state[int(i)*e.m+t] {
		case waiting:
			e.waiting--
		case inSection:
			e.takeOut(i, distributed.Thread(t))
			e.meter.crashedInside++
		case resting, absent:
			continue
		}
		if single {
			e.nextArrival(0)
		}
	}
	e.rest(e.o.System, int(i))
}

// crashHalfway sends half of what node i wrote to e.out and crashes it.
func (e *engine) crashHalfway(i distributed.ID) {
	e.crashSending[i] = false
	for k := range len(e.out.Messages) / 2 {
		e.send(&e.out.Messages[k])
	}
	e.out.Reset()
	e.crash(i)
}

// restart brings node i up again, if it is down.
func (e *engine) restart(i distributed.ID) {
	if !e.down[i] {
		return
	}
	e.down[i] = false
	e.downs--
	e.incarnation[i]++
	distributed.Unwrapped(e.node(i)).(distributed.Recoverer).Recover(&e.out)
	e.carryOut(i)
	if !e.asks(int(i)) {
		return
	}
	switch e.o.Load.kind {
	case poisson:
		e.nextArrival(i)
	case saturated:
		for t := range e.m {
			if e.end == running {
				e.request(i, distributed.Thread(t))
			}
		}
	case single:
		e.nextArrival(0)
	}
}

// violate ends the run: safety is gone, or a node broke the contract.
func (e *engine) violate(what string) {
	if e.end == running {
		e.end = Violated
		e.detail = fmt.Sprintf("at %v %s", time.Duration(e.now), what)
	}
}

// finishEmpty ends a run in which nothing can happen any more.
func (e *engine) finishEmpty() {
	e.end = Stuck
	e.detail = fmt.Sprintf("nothing can happen after %v", time.Duration(e.now)) + e.whoWaits()
}

// finishStalled ends a run in which things happen and no process enters.
func (e *engine) finishStalled() {
	e.end = Stalled
	e.detail = fmt.Sprintf("no thread has entered for %v", time.Duration(e.patience)) + e.whoWaits()
}

// finishTime ends a run whose time is up.
func (e *engine) finishTime(at time.Duration) {
	e.end = TimeUp
	e.detail = fmt.Sprintf("the time was up at %v", at) + e.whoWaits()
}
