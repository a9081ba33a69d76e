package explore

import (
	"errors"
	"fmt"
	"slices"

	"shmbench/distributed"
)

// A Step is one step of a system, chosen by the caller of a Player.
type Step struct {
	What    string         // as Event.What, except "start"
	Node    distributed.ID // the node that acts, or a message's sender
	To      distributed.ID // a message's receiver
	Thread  distributed.Thread
	Timer   distributed.TimerID
	Message string           // label of the message; "": the oldest of its pair
	Side    []distributed.ID // partition: the nodes cut off from the others
	Sends   int              // the node crashes after so many of its sends; 0: it does not
}

// A Player takes a system through steps that the caller chooses among those that
// Explore would try.
type Player struct {
	g *graph
	s *state
}

// NewPlayer returns a player of m, after the Start of every node. It ignores
// m.Faults and m.Moves: the caller may choose any fault or move at any time. It
// returns an error if m is not valid, or if a Start breaks a safety property.
func NewPlayer(m Model) (*Player, error) {
	const often = 255
	m.Faults = Faults{Lose: often, Duplicate: often, Crash: often, Recover: often, Partition: often, Hang: often, Early: often, Suspicions: often}
	m.Moves = often
	if err := m.check(); err != nil {
		return nil, err
	}
	g := newGraph(&m)
	s, property, why := g.begin()
	if property != "" {
		return nil, errors.New(why)
	}
	return &Player{g, s}, nil
}

// Take takes a step and describes it. If the step breaks a safety property,
// broken is the property and why says why. No step may follow then. Take returns
// an error if the step cannot happen now.
func (p *Player) Take(step Step) (e Event, broken Property, why string, err error) {
	for _, a := range p.g.enabled(p.s, nil) {
		if p.is(a, step) {
			e, broken, why = p.g.describe(p.s, a)
			return e, broken, why, nil
		}
	}
	return Event{}, "", "", errors.New("that cannot happen here")
}

// is reports whether a is the given step.
func (p *Player) is(a action, step Step) bool {
	if eventNames[a.what] != step.What || int(a.sends) != step.Sends {
		return false
	}
	i := distributed.ID(a.a)
	switch a.what {
	case evRequest, evRelease, evHang:
		return i == step.Node && distributed.Thread(a.b) == step.Thread
	case evTimer:
		return i == step.Node && distributed.TimerID(a.b) == step.Timer
	case evDeliver, evLose, evDuplicate:
		return i == step.Node && distributed.ID(a.b) == step.To && (step.Message == "" || p.label(a) == step.Message)
	case evMove:
		return i == step.Node && distributed.Thread(a.b) == step.Thread && distributed.ID(a.c) == step.To
	case evPartition:
		return a.a == p.g.sideOf(step.Side)
	case evTick, evHeal:
		return true
	}
	return i == step.Node
}

// label returns the label of the message that a is about.
func (p *Player) label(a action) string {
	return p.g.table.messages[p.s.chans[int(a.a)*p.g.n+int(a.b)][a.c].message()].Label()
}

// sideOf returns the set of the nodes that are not on node 0's side. If node 0
// stands apart, it returns those that are not on node 1's side.
func (g *graph) sideOf(side []distributed.ID) (cut uint8) {
	for _, i := range side {
		cut |= 1 << i
	}
	all, here := uint8(1<<g.n-1), uint8(1)
	if g.m.Apart {
		all, here = all&^1, 2
	}
	if cut&here != 0 {
		cut = ^cut
	}
	return cut & all
}

// UnderWay returns the messages under way. If the messages of a pair arrive in
// order, the oldest comes first.
func (p *Player) UnderWay() []distributed.Message { return p.g.underWay(p.s) }

func (g *graph) underWay(s *state) (ms []distributed.Message) {
	for _, c := range s.chans {
		for _, e := range c {
			ms = append(ms, g.table.messages[e.message()])
		}
	}
	return ms
}

// Inside returns the threads in their critical sections. Waiting returns the
// threads that wait.
func (p *Player) Inside() []Place  { return p.in(isIn) }
func (p *Player) Waiting() []Place { return p.in(func(status uint8) bool { return status == waiting }) }

func (p *Player) in(of func(status uint8) bool) (places []Place) {
	for k, st := range p.s.status {
		if of(st) {
			places = append(places, Place{distributed.ID(k / p.g.m.Threads), distributed.Thread(k % p.g.m.Threads)})
		}
	}
	return places
}

// State prints node i's state.
func (p *Player) State(i distributed.ID) string { return p.node(i).String() }

func (p *Player) node(i distributed.ID) distributed.Machine {
	return p.g.automata[i].locals[p.s.local[i]]
}

// Leader returns the leader that elector i follows. It returns an error if node i is not an
// elector.
func (p *Player) Leader(i distributed.ID) (distributed.ID, error) {
	e, elects := p.node(i).(distributed.Elector)
	if !elects {
		return distributed.None, fmt.Errorf("node %d takes part in no election", i)
	}
	leader, _ := e.Leader()
	return leader, nil
}

// Stuck reports whether a thread waits and no further event must happen. An event must happen
// if the explorer takes it for fair: the arrival of a message, the expiry of a timer, or the
// release of a thread that does not hang.
func (p *Player) Stuck() bool {
	return len(p.Waiting()) > 0 && !slices.ContainsFunc(p.g.enabled(p.s, nil), func(a action) bool { return p.g.class(p.s, a) >= 0 })
}
