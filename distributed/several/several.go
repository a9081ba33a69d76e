// Package several lets a thread hold several locks at once. Each lock is a
// message-passing algorithm of its own; a thread acquires those that it needs
// one after the other. If all acquire in the order of the locks' numbers no
// circle of waiting can close; in orders of their own two threads can each hold
// what the other wants next.
package several

import (
	"fmt"
	"strings"

	"shmbench/distributed"
)

// A Plan says which locks thread t of node i needs, in the order in which it
// would take them: Plan(i, t). A thread needs at least one, and none twice.
type Plan func(i distributed.ID, t distributed.Thread) []uint16

// Ordered makes p's threads take their locks in ascending order and release
// them in descending order (Ethan Blanton, Mutual Exclusion, CSE 486 lecture,
// University at Buffalo, 2021–2024, "Avoiding Deadlock").
func Ordered(p Plan) Plan {
	return func(i distributed.ID, t distributed.Thread) []uint16 {
		locks := append([]uint16(nil), p(i, t)...)
		for at := 1; at < len(locks); at++ {
			for k := at; k > 0 && locks[k] < locks[k-1]; k-- {
				locks[k], locks[k-1] = locks[k-1], locks[k]
			}
		}
		return locks
	}
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
		nodes[i] = &node{locks: make([]distributed.Node, locks), plan: make([][]uint16, c.Threads), held: make([]int, c.Threads)}
		for t := range nodes[i].plan {
			want := plan(distributed.ID(i), distributed.Thread(t))
			if err := check(want, locks); err != nil {
				return nil, fmt.Errorf("thread %d of node %d %w", t, i, err)
			}
			nodes[i].plan[t] = want
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
	plan  [][]uint16      // by thread
	held  []int           // by thread: how many of its plan it holds
	out   distributed.Out // scratch
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
	for _, t := range mine.Grants {
		n.held[t]++
		n.next(t, out)
	}
	n.out = mine
}

// next takes thread t's next lock, or lets it in when it has all.
func (n *node) next(t distributed.Thread, out *distributed.Out) {
	if n.held[t] == len(n.plan[t]) {
		out.Grant(t)
		return
	}
	n.do(n.plan[t][n.held[t]], out, func(p distributed.Node, out *distributed.Out) { p.Request(t, out) })
}

func (n *node) Start(out *distributed.Out) {
	for k := range n.locks {
		n.do(uint16(k), out, func(p distributed.Node, out *distributed.Out) { p.Start(out) })
	}
}

func (n *node) Request(t distributed.Thread, out *distributed.Out) { n.next(t, out) }

func (n *node) Release(t distributed.Thread, out *distributed.Out) {
	for n.held[t] > 0 {
		n.held[t]--
		n.do(n.plan[t][n.held[t]], out, func(p distributed.Node, out *distributed.Out) { p.Release(t, out) })
	}
}

func (n *node) Receive(m distributed.Message, out *distributed.Out) {
	k := m.Lock
	m.Lock = 0
	n.do(k, out, func(p distributed.Node, out *distributed.Out) { p.Receive(m, out) })
}

func (n *node) Expire(t distributed.TimerID, out *distributed.Out) {
	n.do(uint16(t/timers), out, func(p distributed.Node, out *distributed.Out) { p.Expire(t%timers, out) })
}

func (n *node) Clone() distributed.Machine {
	c := &node{locks: make([]distributed.Node, len(n.locks)), plan: n.plan, held: append([]int(nil), n.held...)}
	for k, p := range n.locks {
		c.locks[k] = p.Clone().(distributed.Node)
	}
	return c
}

func (n *node) AppendState(b []byte) []byte {
	b = distributed.AppendInts(b, n.held...)
	for _, p := range n.locks {
		at := len(b)
		b = append(b, 0, 0)
		b = p.AppendState(b)
		size := len(b) - at - 2
		b[at], b[at+1] = byte(size>>8), byte(size)
	}
	return b
}

func (n *node) String() string {
	s := make([]string, len(n.locks))
	for k, p := range n.locks {
		s[k] = fmt.Sprintf("lock %d: %v", k, p)
	}
	return fmt.Sprintf("held=%v %s", n.held, strings.Join(s, "; "))
}
