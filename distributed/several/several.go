// Package several lets a thread hold several locks at once. Each lock is a
// message-passing algorithm of its own; a thread acquires those that it needs
// one after the other. If all acquire in the order of the locks' numbers no
// circle of waiting can close; in orders of their own two threads can each hold
// what the other wants next.
package several

import (
	"fmt"
	"slices"
	"strings"

	"shmbench/distributed"
)

// A Plan says which locks thread t of node i needs for one request after the
// other, again from the first on after the last: Plan(i, t). Each has the locks
// in the order in which the thread would take them, at least one, and none
// twice.
type Plan func(i distributed.ID, t distributed.Thread) [][]uint16

// InTurn is a plan of threads that need one of n resources at a time, one after
// the other; they do not all begin with the same one.
func InTurn(n int) Plan {
	return func(i distributed.ID, t distributed.Thread) [][]uint16 {
		needs := make([][]uint16, n)
		for k := range needs {
			needs[k] = []uint16{uint16((int(i) + int(t) + k) % n)}
		}
		return needs
	}
}

// Ordered makes p's threads take their locks in ascending order and release them in
// descending order. Source: Ethan Blanton, Mutual Exclusion, CSE 486 lecture, University at
// Buffalo, 2021–2024, "Avoiding Deadlock".
func Ordered(p Plan) Plan {
	return func(i distributed.ID, t distributed.Thread) [][]uint16 {
		var needs [][]uint16
		for _, locks := range p(i, t) {
			needs = append(needs, slices.Sorted(slices.Values(locks)))
		}
		return needs
	}
}

// Algorithm returns a whose nodes have as many locks, each an a of its own, and
// whose threads follow plan. Its claims are a's if no circle of waiting can
// close, as where no process needs two locks, or all take them in order.
func Algorithm(a *distributed.Algorithm, locks int, plan Plan) *distributed.Algorithm {
	of := *a
	of.Invariants = nil // they are of one lock's nodes
	of.New = func(c distributed.Config) ([]distributed.Node, error) { return New(a, c, locks, plan) }
	return &of
}

// New builds a system in which each of the locks 0..locks-1 is algorithm a of
// its own. A thread that requests is granted when it holds all of its plan.
func New(a *distributed.Algorithm, c distributed.Config, locks int, plan Plan) ([]distributed.Node, error) {
	if locks < 1 || locks > 1<<16 {
		return nil, fmt.Errorf("%d locks: 1 to %d", locks, 1<<16)
	}
	if err := c.Check(); err != nil {
		return nil, err
	}
	nodes := make([]*node, c.Nodes)
	for i := range nodes {
		nodes[i] = &node{locks: make([]distributed.Node, locks), plan: make([][][]uint16, c.Threads), turn: make([]int, c.Threads), held: make([]int, c.Threads)}
		for t := range nodes[i].plan {
			nodes[i].plan[t] = plan(distributed.ID(i), distributed.Thread(t))
			if len(nodes[i].plan[t]) == 0 {
				return nil, fmt.Errorf("thread %d of node %d has no plan", t, i)
			}
			for _, want := range nodes[i].plan[t] {
				if err := check(want, locks); err != nil {
					return nil, fmt.Errorf("thread %d of node %d %w", t, i, err)
				}
				if a.Lease && len(want) > 1 {
					return nil, fmt.Errorf("%s takes permissions back: no thread may need two locks of it", a.Name)
				}
			}
		}
	}
	for k := range locks {
		one, err := a.New(c)
		if err != nil {
			return nil, err
		}
		for i := range nodes {
			nodes[i].locks[k] = one[i]
		}
	}
	all := make([]distributed.Node, c.Nodes)
	for i := range nodes {
		all[i] = nodes[i]
	}
	return all, nil
}

func check(want []uint16, locks int) error {
	if len(want) == 0 {
		return fmt.Errorf("needs no lock: at least one")
	}
	seen := make(map[uint16]bool)
	for _, k := range want {
		if int(k) >= locks {
			return fmt.Errorf("needs lock %d, which is none of 0..%d", k, locks-1)
		}
		if seen[k] {
			return fmt.Errorf("needs lock %d twice", k)
		}
		seen[k] = true
	}
	return nil
}

// node is one node: a node of each lock.
//
// Messages: the locks', each with Lock: its number.
type node struct {
	locks []distributed.Node
	plan  [][][]uint16    // by thread
	turn  []int           // by thread: which of its plan is next, or under way
	held  []int           // by thread: how many of those it holds
	out   distributed.Out `state:"scratch"`
}

// timers is how many timers each lock's node may have.
const timers = 8

// do lets lock k's node act and passes on what it does; a thread that gets a
// lock goes on to the next of its plan.
func (n *node) do(k uint16, out *distributed.Out, act func(p distributed.Node, out *distributed.Out)) {
	var mine distributed.Out
	n.out, mine = mine, n.out // a grant leads back here
	mine.Reset()
	act(n.locks[k], &mine)
	for _, m := range mine.Messages {
		m.Lock = k
		out.Send(m)
	}
	for _, t := range mine.Timers {
		out.Timers = append(out.Timers, distributed.Timer{ID: distributed.TimerID(k)*timers + t.ID, After: t.After})
	}
	for _, t := range mine.Revoked { // who may lose a lock needs no other: see New
		n.held[t] = 0
		n.turn[t] = (n.turn[t] + 1) % len(n.plan[t])
		out.Revoke(t)
	}
	for _, t := range mine.Grants {
		n.held[t]++
		n.next(t, out)
	}
	n.out = mine
}

// next takes thread t's next lock, or lets it in when it has all.
func (n *node) next(t distributed.Thread, out *distributed.Out) {
	need := n.need(t)
	if n.held[t] == len(need) {
		out.Grant(t)
		return
	}
	n.do(need[n.held[t]], out, func(p distributed.Node, out *distributed.Out) { p.Request(t, out) })
}

func (n *node) Start(out *distributed.Out) {
	for k := range n.locks {
		n.do(uint16(k), out, func(p distributed.Node, out *distributed.Out) { p.Start(out) })
	}
}

func (n *node) Request(t distributed.Thread, out *distributed.Out) { n.next(t, out) }

func (n *node) Release(t distributed.Thread, out *distributed.Out) {
	for need := n.need(t); n.held[t] > 0; {
		n.held[t]--
		n.do(need[n.held[t]], out, func(p distributed.Node, out *distributed.Out) { p.Release(t, out) })
	}
	n.turn[t] = (n.turn[t] + 1) % len(n.plan[t])
}

// need is the locks of thread t's request that is next, or under way.
func (n *node) need(t distributed.Thread) []uint16 { return n.plan[t][n.turn[t]] }

// Holds implements distributed.Holder.
func (n *node) Holds(t distributed.Thread) []uint16 { return n.need(t) }

func (n *node) Receive(m distributed.Message, out *distributed.Out) {
	k := m.Lock
	m.Lock = 0
	n.do(k, out, func(p distributed.Node, out *distributed.Out) { p.Receive(m, out) })
}

func (n *node) Expire(t distributed.TimerID, out *distributed.Out) {
	n.do(uint16(t/timers), out, func(p distributed.Node, out *distributed.Out) { p.Expire(t%timers, out) })
}

func (n *node) String() string {
	s := make([]string, len(n.locks))
	for k, p := range n.locks {
		s[k] = fmt.Sprintf("lock %d: %v", k, p)
	}
	return fmt.Sprintf("turn=%v held=%v %s", n.turn, n.held, strings.Join(s, "; "))
}
