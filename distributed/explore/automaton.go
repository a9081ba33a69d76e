package explore

import (
	"fmt"

	"shmbench/distributed"
	"shmbench/distributed/internal/fields"
)

// automaton is one node, learned during the exploration. Local states are
// numbered by their canonical form, and each pair of state and input is computed
// once.
type automaton struct {
	id     distributed.ID
	n      int // nodes in all
	locals []distributed.Machine
	least  []int64 // by local state: the least timestamp of a distributed.Stamper
	number map[string]int32
	steps  map[stepKey]*step
}

// input is an event at a node: what it is, and its argument (a thread, a
// message number or a timer).
type input struct {
	what event
	arg  int32
}

type stepKey struct {
	local int32
	in    input
}

// step is the effect of an input on a local state.
type step struct {
	next     int32
	messages []int32 // numbers in graph.messages
	grants   []distributed.Thread
	revoked  []distributed.Thread
	timers   []distributed.Timer
	panicked string
}

// messageTable is the numbering of messages, shared by all automata.
type messageTable struct {
	messages []distributed.Message
	number   map[string]int32
	guard    func() (endless bool) // see WithGuard; nil: none
}

func (p *messageTable) of(m distributed.Message) int32 {
	key := m.AppendWire(nil)
	if n, ok := p.number[string(key)]; ok {
		return n
	}
	n := int32(len(p.messages))
	p.messages = append(p.messages, m.Clone())
	p.number[string(key)] = n
	return n
}

func newAutomaton(id distributed.ID, n int, m distributed.Machine) *automaton {
	a := &automaton{id: id, n: n, number: map[string]int32{}, steps: map[stepKey]*step{}}
	a.intern(fields.Clone(m))
	return a
}

func (a *automaton) intern(m distributed.Machine) int32 {
	key := string(fields.Append(nil, m))
	n, ok := a.number[key]
	if !ok {
		n = int32(len(a.locals))
		a.locals, a.least = append(a.locals, m), append(a.least, least(m))
		a.number[key] = n
	} else if was := a.locals[n].String(); was != m.String() {
		panic(fmt.Sprintf("node %d: one canonical form for two states:\n%s\n%s", a.id, was, m))
	}
	return n
}

func (a *automaton) step(local int32, in input, p *messageTable) *step {
	key := stepKey{local, in}
	if s, ok := a.steps[key]; ok {
		return s
	}
	s := a.compute(local, in, p)
	a.steps[key] = s
	return s
}

func (a *automaton) compute(local int32, in input, p *messageTable) (s *step) {
	m := fields.Clone(a.locals[local])
	var out distributed.Out
	s = &step{next: local}
	if p.guard != nil && p.guard() {
		s.panicked = "it recurses without end"
		return s
	}
	defer func() {
		if r := recover(); r != nil {
			s.panicked = fmt.Sprint(r)
		}
	}()
	switch in.what {
	case evStart:
		m.Start(&out)
	case evRequest:
		m.(distributed.Node).Request(distributed.Thread(in.arg), &out)
	case evRelease:
		m.(distributed.Node).Release(distributed.Thread(in.arg), &out)
	case evDeliver:
		m.Receive(p.messages[in.arg].Clone(), &out)
	case evTimer:
		m.Expire(distributed.TimerID(in.arg), &out)
	case evRecover:
		distributed.Unwrapped(m).(distributed.Recoverer).Recover(&out)
	case evSuspect:
		m.(distributed.Elector).Suspect(&out)
	case evShift:
		shiftStamps(m.(distributed.Stamper), int64(in.arg))
	}
	for _, msg := range out.Messages {
		if msg.From != a.id {
			panic(fmt.Sprintf("node %d sends in the name of node %d", a.id, msg.From))
		}
		if msg.To < 0 || int(msg.To) >= a.n || msg.To == a.id {
			panic(fmt.Sprintf("node %d sends to node %d", a.id, msg.To))
		}
		s.messages = append(s.messages, p.of(msg))
	}
	s.grants, s.revoked, s.timers = out.Grants, out.Revoked, out.Timers
	s.next = a.intern(m)
	return s
}
