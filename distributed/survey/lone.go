package survey

import (
	"fmt"
	"math"

	"shmbench/distributed"
	"shmbench/distributed/internal/fields"
	"shmbench/distributed/sim"
)

// Lone is how many messages one uncontended request costs: the least and the most over
// the states of rest that are tried.
type Lone struct {
	Least     int        `json:"least"`
	Most      int        `json:"most"`
	States    int        `json:"states"`
	All       bool       `json:"all"`     // every state of rest that lone requests lead to was tried
	Dearest   int        `json:"dearest"` // how many requests the specification names; the last should cost the most; 0: none
	BookLeast sim.Number `json:"book_least"`
	BookMost  sim.Number `json:"book_most"`
}

// Agrees reports whether the measured least and most agree with the book's, and whether the
// book has any. They must be equal if all states were tried, or if the specification names
// the requests that count. Otherwise they must be within the book's.
func (l Lone) Agrees() (agrees, any bool) {
	least, most := sim.Number(l.Least), sim.Number(l.Most)
	switch {
	case math.IsNaN(float64(l.BookLeast)) || l.States == 0:
		return false, false
	case l.All || l.Dearest > 0:
		return least == l.BookLeast && most == l.BookMost, true
	}
	return least >= l.BookLeast && most <= l.BookMost, true
}

// loneRequests is how many requests are tried at most among n nodes, whose states
// are kept.
func loneRequests(n int) int { return max(20, min(5000, 5_000_000/(n*n))) }

// lone tries, breadth first, every state of rest that lone requests lead to, and from
// each a request by every node. Where nodes send although no thread asks, a state of rest
// has a message under way, and the cost is the number of messages that arrive until the
// permission. lone does not try nodes with timers.
func lone(s Subject) (Lone, error) {
	l := Lone{Least: math.MaxInt, BookLeast: sim.Number(math.NaN()), BookMost: sim.Number(math.NaN())}
	if book := s.Algorithm.Cost.Lone; book != nil {
		least, most := book(s.System)
		l.BookLeast, l.BookMost = sim.Number(least), sim.Number(most)
	}
	if c := s.Algorithm.Claims; c.Timely || c.Timers {
		return l, nil
	}
	nodes, err := s.Algorithm.New(s.System)
	if err != nil {
		return l, err
	}
	first := &rest{nodes: nodes}
	for i := range nodes {
		first.do(distributed.ID(i), nodes[i].Start)
	}
	restless := len(first.way) > 0
	seen, queue := map[string]bool{first.key(): true}, []*rest{first}
	tries := 0
	for ; len(queue) > 0 && tries < loneRequests(s.System.Nodes); queue = queue[1:] {
		l.States++
		for i := range distributed.ID(s.System.Nodes) {
			if s.System.Server && i == 0 {
				continue
			}
			tries++
			r := fields.Clone(queue[0])
			cost, err := r.request(i, restless)
			if err != nil {
				return l, fmt.Errorf("%s: %w", s.Algorithm.Name, err)
			}
			l.Least, l.Most = min(l.Least, cost), max(l.Most, cost)
			if key := r.key(); !seen[key] {
				seen[key] = true
				queue = append(queue, r)
			}
		}
		if restless { // time passes, too
			r := fields.Clone(queue[0])
			r.deliver()
			if key := r.key(); !seen[key] {
				seen[key] = true
				queue = append(queue, r)
			}
		}
	}
	l.All = len(queue) == 0
	return l, l.dearest(s)
}

// dearest makes the lone requests that the specification names.
func (l *Lone) dearest(s Subject) error {
	if s.Algorithm.Cost.Dearest == nil {
		return nil
	}
	nodes, err := s.Algorithm.New(s.System)
	if err != nil {
		return err
	}
	r := &rest{nodes: nodes}
	for i := range nodes {
		r.do(distributed.ID(i), nodes[i].Start)
	}
	for _, i := range s.Algorithm.Cost.Dearest(s.System) {
		l.Dearest++
		cost, err := r.request(i, false)
		if err != nil {
			return fmt.Errorf("%s: %w", s.Algorithm.Name, err)
		}
		l.Least, l.Most = min(l.Least, cost), max(l.Most, cost)
	}
	return nil
}

// rest is a system without a request.
type rest struct {
	nodes   []distributed.Node
	way     []distributed.Message
	sent    int
	taken   int
	granted bool
	out     distributed.Out
}

func (r *rest) key() string { return string(fields.Append(fields.Append(nil, r.nodes), r.way)) }

// do lets node i act.
func (r *rest) do(i distributed.ID, act func(out *distributed.Out)) {
	r.out.Reset()
	act(&r.out)
	r.sent += len(r.out.Messages)
	for _, m := range r.out.Messages {
		r.way = append(r.way, m.Clone())
	}
	r.granted = r.granted || len(r.out.Grants) > 0
}

func (r *rest) deliver() {
	m := r.way[0]
	r.way = r.way[1:]
	r.taken++
	r.do(m.To, func(out *distributed.Out) { r.nodes[m.To].Receive(m, out) })
}

// request lets node i enter once, and returns what that cost.
func (r *rest) request(i distributed.ID, restless bool) (messages int, err error) {
	bound := 100 * (len(r.nodes) + 1)
	r.sent, r.taken, r.granted = 0, 0, false
	r.do(i, func(out *distributed.Out) { r.nodes[i].Request(0, out) })
	for range bound {
		if r.granted || len(r.way) == 0 {
			break
		}
		r.deliver()
	}
	if !r.granted {
		return 0, fmt.Errorf("a lone request of node %d is not granted", i)
	}
	messages = r.taken
	r.do(i, func(out *distributed.Out) { r.nodes[i].Release(0, out) })
	if restless {
		return messages, nil
	}
	for range bound {
		if len(r.way) == 0 {
			return r.sent, nil
		}
		r.deliver()
	}
	return 0, fmt.Errorf("after a lone request of node %d messages go on", i)
}
