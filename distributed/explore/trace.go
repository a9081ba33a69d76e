package explore

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"shmbench/distributed"
	"shmbench/internal/cli/table"
)

// An Event is one step of a trace.
type Event struct {
	What    string                `json:"what"` // such as "request", "deliver", "crash"
	Node    distributed.ID        `json:"node"` // the node that acts
	Text    string                `json:"text"` // the step in words
	Message *distributed.Message  `json:"message,omitempty"`
	Sent    []distributed.Message `json:"sent,omitempty"`
	Granted []distributed.Thread  `json:"granted,omitempty"`
	Revoked []distributed.Thread  `json:"revoked,omitempty"` // threads that must leave
	State   string                `json:"state"`             // the acting node's state after
	Way     []distributed.Message `json:"way,omitempty"`     // the messages under way after

	Step Step `json:"-"` // the step for a Player
}

var eventNames = [...]string{
	"start", "request", "release", "deliver", "timer", "recover", "suspect", "tick",
	"lose", "duplicate", "crash", "partition", "heal", "move", "hang",
}

// trace replays actions from the first state and describes each.
func (g *graph) trace(as []action) []Event {
	s, _, _ := g.begin()
	events := make([]Event, len(as))
	for k, a := range as {
		events[k], _, _ = g.describe(s, a)
	}
	return events
}

// describe takes a in s and describes it. If a safety property breaks, it also returns the
// property and the reason.
func (g *graph) describe(s *state, a action) (e Event, broken Property, why string) {
	i, j := distributed.ID(a.a), distributed.ID(a.b)
	e = Event{What: eventNames[a.what], Node: i}
	e.Step = Step{What: e.What, Node: i, To: j, Thread: distributed.Thread(a.b), Timer: distributed.TimerID(a.b), Sends: int(a.sends)}
	in := input{a.what, int32(a.b)}
	switch a.what {
	case evRequest, evRelease:
		e.Text = fmt.Sprintf("thread %d of node %d %ss", a.b, i, strings.Replace(e.What, "request", "ask", 1))
	case evDeliver, evDuplicate, evLose:
		msg := s.chans[int(i)*g.n+int(j)][a.c].message()
		m := g.table.messages[msg]
		e.Node, e.Message, in = j, &m, input{evDeliver, msg}
		e.Step.Message = m.Label()
		e.Text = fmt.Sprintf("%v arrives", m)
		if a.what == evDuplicate {
			e.Text += " and is duplicated"
		} else if a.what == evLose {
			e.Text = fmt.Sprintf("%v is lost", m)
		}
	case evTimer:
		e.Text = fmt.Sprintf("timer %d of node %d expires", a.b, i)
	case evRecover, evSuspect:
		in.arg = 0
		e.Text = fmt.Sprintf("node %d %ss", i, e.What)
	case evCrash:
		e.Text = fmt.Sprintf("node %d crashes", i)
	case evTick:
		e.Text = "time passes"
		if g.m.Timing == Timely {
			e.Text += " until a timer is due"
		}
	case evPartition:
		e.Text = "partition: " + g.parts(a.a)
		for i := range distributed.ID(g.n) {
			if a.a>>i&1 != 0 {
				e.Step.Side = append(e.Step.Side, i)
			}
		}
	case evHeal:
		e.Text = "the partition heals"
	case evHang:
		e.Text = fmt.Sprintf("thread %d of node %d, inside, hangs", a.b, i)
	case evMove:
		e.Text = fmt.Sprintf("thread %d of node %d moves to node %d, as thread %d", a.b, i, a.c, g.room(s, distributed.ID(a.c))%g.m.Threads)
		e.Step.To = distributed.ID(a.c)
	}
	if a.what <= evSuspect || a.what == evDuplicate {
		g.describeStep(&e, s, in, int(a.sends))
	}
	broken, why = g.apply(s, &a)
	if a.what != evTick && a.what != evPartition && a.what != evHeal {
		e.State = g.automata[e.Node].locals[s.local[e.Node]].String()
	}
	e.Way = g.underWay(s)
	if !g.m.FIFO { // they have no order
		slices.SortStableFunc(e.Way, func(a, b distributed.Message) int {
			return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To), cmp.Compare(a.Label(), b.Label()))
		})
	}
	return e, broken, why
}

// describeStep adds the sends and the grants of the step. If sends is not 0, the node
// crashes after that many messages.
func (g *graph) describeStep(e *Event, s *state, in input, sends int) {
	st := g.automata[e.Node].step(s.local[e.Node], in, &g.table)
	messages := st.messages
	if sends > 0 {
		messages = messages[:sends]
		e.Text += fmt.Sprintf(", and node %d crashes after %d of %d sends", e.Node, sends, len(st.messages))
	} else {
		e.Granted, e.Revoked = st.grants, st.revoked
	}
	for _, m := range messages {
		e.Sent = append(e.Sent, g.table.messages[m])
	}
}

func (g *graph) parts(cut uint8) string {
	var here, there []string
	for i := range g.n {
		if i == 0 && g.m.Apart {
			continue
		}
		if cut>>i&1 != 0 {
			there = append(there, fmt.Sprint(i))
		} else {
			here = append(here, fmt.Sprint(i))
		}
	}
	return strings.Join(here, ",") + " | " + strings.Join(there, ",")
}

// Does describes in words the action of the acting node.
func (e *Event) Does() string {
	var does []string
	for _, th := range e.Granted {
		does = append(does, fmt.Sprintf("thread %d of node %d ENTERS", th, e.Node))
	}
	for _, th := range e.Revoked {
		does = append(does, fmt.Sprintf("thread %d of node %d must leave", th, e.Node))
	}
	for _, m := range e.Sent {
		does = append(does, fmt.Sprintf("sends %s to %d", m.Label(), m.To))
	}
	return strings.Join(does, ", ")
}

// WriteText prints v as a table with one step per line. It returns the error of
// w.
func (v *Violation) WriteText(w io.Writer) error {
	fmt.Fprintf(w, "%s is violated: %s\n", v.Property, v.Text)
	t := table.New(w)
	for k, e := range v.Trace {
		if k == v.Loop {
			fmt.Fprintln(t, "\tfrom here on, again and again:\t\t")
		}
		fmt.Fprintf(t, "%3d\t%s\t%s\t%s\n", k+1, e.Text, e.Does(), e.State)
	}
	if v.Loop < 0 && (v.Property == Deadlock || v.Property == Starvation) {
		fmt.Fprintln(t, "\tand nothing more has to happen")
	}
	return t.Flush()
}
