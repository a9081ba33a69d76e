package election

import (
	"container/heap"
	"context"
	"fmt"
	"slices"

	"shmbench/distributed"
)

// A Contest describes one election for [Hold].
type Contest struct {
	Algorithm  *Algorithm
	Config     Config
	Dead       []distributed.ID // nodes that are dead from the beginning
	Initiators []distributed.ID // nodes that suspect the leader, at the same time, in this order
}

// An Outcome is the result of a contest.
type Outcome struct {
	Agreed bool           // all nodes that are up follow one leader that is up, and it leads them
	Detail string         // the reason why they do not agree
	Leader distributed.ID // the leader that they follow, if Agreed

	Messages distributed.Tally // sent
	Time     float64           // message delays until the last node follows the leader

	// Candidates is the number of candidacies that were under way to a node that
	// is up. AtOnce is the largest number of them at the same moment.
	Candidates, AtOnce int
}

// Total returns the number of messages of these kinds.
func (o *Outcome) Total(kinds ...distributed.Kind) (n int64) {
	for _, k := range kinds {
		n += o.Messages[k]
	}
	return n
}

// Check returns an error of one line if c is not valid.
func (c *Contest) Check() error {
	a, n := c.Algorithm, c.Config.Nodes
	if err := c.Config.check(); err != nil {
		return err
	}
	switch {
	case c.Config.Ring != nil && !a.Ring:
		return fmt.Errorf("%s runs on no ring", a.Name)
	case c.Config.Lowest && !a.Picks:
		return fmt.Errorf("%s always elects the highest node: -pick lowest is for other algorithms", a.Name)
	case len(c.Dead) >= n:
		return fmt.Errorf("all %d nodes are dead: at least one is up", n)
	case len(c.Initiators) == 0:
		return fmt.Errorf("no initiator: no node would begin an election")
	}
	for what, list := range map[string][]distributed.ID{"dead": c.Dead, "initiators": c.Initiators} {
		for k, i := range list {
			if i < 0 || int(i) >= n {
				return fmt.Errorf("%s: there is no node %d among 0..%d", what, i, n-1)
			}
			if slices.Contains(list[:k], i) {
				return fmt.Errorf("%s: node %d is named twice", what, i)
			}
		}
	}
	for _, i := range c.Initiators {
		if slices.Contains(c.Dead, i) {
			return fmt.Errorf("initiators: node %d is dead", i)
		}
	}
	return nil
}

// A message takes one delay. A tick is slightly longer, so a message that arrives
// in time does not arrive at the moment at which the time ends.
const (
	delay = 1000
	tick  = delay + 1
)

// MaxMessages is the largest number of messages that Hold lets an election send.
const MaxMessages = 5_000_000

// Hold holds the contest until no message is under way and no timer is set.
// Events of one moment happen in the order in which they were caused. Hold
// returns an error if c is not valid, if the contest goes on for too long, or if
// ctx ends.
func Hold(ctx context.Context, c Contest) (*Outcome, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	nodes, err := c.Algorithm.New(c.Config)
	if err != nil {
		return nil, err
	}
	h := &holding{nodes: nodes, dead: make([]bool, len(nodes)), timers: make([]map[distributed.TimerID]int, len(nodes)), candidate: c.Algorithm.Candidate, under: map[distributed.ID]int{}, seen: map[distributed.ID]bool{}}
	if h.candidate == nil {
		h.candidate = func(m distributed.Message) distributed.ID { return m.Who }
	}
	for _, i := range c.Dead {
		h.dead[i] = true
	}
	for i := range nodes {
		h.timers[i] = map[distributed.TimerID]int{}
	}
	for i := range nodes {
		if !h.dead[i] {
			h.do(distributed.ID(i), nodes[i].Start)
		}
	}
	for _, i := range c.Initiators {
		h.do(i, nodes[i].Suspect)
	}
	for events := 0; h.pending.Len() > 0; events++ {
		if events&1023 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if h.sent > MaxMessages {
			h.out.Detail = fmt.Sprintf("it goes on after %d messages", MaxMessages)
			return &h.out, nil
		}
		h.next()
	}
	h.judge()
	return &h.out, nil
}

// holding is a contest that is being held.
type holding struct {
	nodes     []distributed.Elector
	dead      []bool
	pending   pending
	now       int64
	set       int                           // number of the latest event
	timers    []map[distributed.TimerID]int // by node: the setting that counts
	candidate func(m distributed.Message) distributed.ID
	under     map[distributed.ID]int // candidacies under way: in how many messages
	seen      map[distributed.ID]bool
	sent      int64
	out       Outcome
}

// happening is a message's arrival or a timer's expiry.
type happening struct {
	at      int64
	set     int
	message *distributed.Message
	node    distributed.ID
	timer   distributed.TimerID
}

// pending is a heap of future happenings.
type pending []happening

func (p pending) Len() int { return len(p) }
func (p pending) Less(i, j int) bool {
	return p[i].at < p[j].at || p[i].at == p[j].at && p[i].set < p[j].set
}
func (p pending) Swap(i, j int) { p[i], p[j] = p[j], p[i] }
func (p *pending) Push(x any)   { *p = append(*p, x.(happening)) }
func (p *pending) Pop() any {
	last := (*p)[len(*p)-1]
	*p = (*p)[:len(*p)-1]
	return last
}

func (h *holding) push(x happening) {
	h.set++
	x.set = h.set
	heap.Push(&h.pending, x)
}

func (h *holding) next() {
	x := heap.Pop(&h.pending).(happening)
	h.now = x.at
	if x.message == nil {
		if h.timers[x.node][x.timer] == x.set {
			delete(h.timers[x.node], x.timer)
			h.do(x.node, func(out *distributed.Out) { h.nodes[x.node].Expire(x.timer, out) })
		}
		return
	}
	if m := *x.message; m.Kind == distributed.Election {
		j := h.candidate(m)
		if h.under[j]--; h.under[j] == 0 {
			delete(h.under, j)
		}
	}
	h.do(x.node, func(out *distributed.Out) { h.nodes[x.node].Receive(*x.message, out) })
}

// do lets node i act and carries out its answer.
func (h *holding) do(i distributed.ID, act func(out *distributed.Out)) {
	var out distributed.Out
	was, wasTerm := h.nodes[i].Leader()
	act(&out)
	if leader, term := h.nodes[i].Leader(); leader != was || term != wasTerm {
		h.out.Time = float64(h.now) / delay
	}
	for _, m := range out.Messages {
		h.sent++
		h.out.Messages[m.Kind]++
		if h.dead[m.To] {
			continue
		}
		if m.Kind == distributed.Election {
			j := h.candidate(m)
			h.under[j]++
			h.seen[j] = true
			h.out.Candidates, h.out.AtOnce = len(h.seen), max(h.out.AtOnce, len(h.under))
		}
		h.push(happening{at: h.now + delay, message: &m, node: m.To})
	}
	for _, t := range out.Timers {
		delete(h.timers[i], t.ID)
		if t.After > 0 {
			h.push(happening{at: h.now + int64(t.After)*tick, node: i, timer: t.ID})
			h.timers[i][t.ID] = h.set
		}
	}
}

// judge decides whether the nodes agree.
func (h *holding) judge() {
	h.out.Leader = distributed.None
	var term int64
	for i, p := range h.nodes {
		if h.dead[i] {
			continue
		}
		leader, of := p.Leader()
		switch {
		case leader == distributed.None:
			h.out.Detail = fmt.Sprintf("node %d follows no node", i)
		case h.dead[leader]:
			h.out.Detail = fmt.Sprintf("node %d follows node %d, which is dead", i, leader)
		case h.out.Leader != distributed.None && (leader != h.out.Leader || of != term):
			h.out.Detail = fmt.Sprintf("node %d follows node %d in term %d while others follow node %d in term %d", i, leader, of, h.out.Leader, term)
		default:
			h.out.Leader, term = leader, of
			continue
		}
		h.out.Leader = distributed.None
		return
	}
	h.out.Agreed = true
}
