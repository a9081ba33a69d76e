// Package tamper makes a mutant of an algorithm: the shipped nodes with one of
// their events handled otherwise. So a mutant is as long as its flaw.
package tamper

import "shmbench/distributed"

// Hooks handle events in place of node p's own methods, which they may call;
// nil leaves an event alone. Claims and costs are the original's: they are
// what the mutant fails.
type Hooks[N distributed.Node] struct {
	Start   func(p N, out *distributed.Out)
	Request func(p N, t distributed.Thread, out *distributed.Out)
	Release func(p N, t distributed.Thread, out *distributed.Out)
	Receive func(p N, m distributed.Message, out *distributed.Out)
	Expire  func(p N, t distributed.TimerID, out *distributed.Out)
}

// Mutant returns algorithm a with hooks h, whose nodes must be of type N.
func Mutant[N distributed.Node](a distributed.Algorithm, name, title string, h Hooks[N]) distributed.Algorithm {
	build := a.New
	a.Name, a.Title = name, title
	a.New = func(c distributed.Config) ([]distributed.Node, error) {
		nodes, err := build(c)
		for i := range nodes {
			nodes[i] = &node[N]{Node: nodes[i], h: &h}
		}
		return nodes, err
	}
	return a
}

type node[N distributed.Node] struct {
	distributed.Node
	h *Hooks[N]
}

func (n *node[N]) Start(out *distributed.Out) {
	if n.h.Start == nil {
		n.Node.Start(out)
	} else {
		n.h.Start(n.Node.(N), out)
	}
}

func (n *node[N]) Request(t distributed.Thread, out *distributed.Out) {
	if n.h.Request == nil {
		n.Node.Request(t, out)
	} else {
		n.h.Request(n.Node.(N), t, out)
	}
}

func (n *node[N]) Release(t distributed.Thread, out *distributed.Out) {
	if n.h.Release == nil {
		n.Node.Release(t, out)
	} else {
		n.h.Release(n.Node.(N), t, out)
	}
}

func (n *node[N]) Receive(m distributed.Message, out *distributed.Out) {
	if n.h.Receive == nil {
		n.Node.Receive(m, out)
	} else {
		n.h.Receive(n.Node.(N), m, out)
	}
}

func (n *node[N]) Expire(t distributed.TimerID, out *distributed.Out) {
	if n.h.Expire == nil {
		n.Node.Expire(t, out)
	} else {
		n.h.Expire(n.Node.(N), t, out)
	}
}

func (n *node[N]) Clone() distributed.Machine {
	return &node[N]{n.Node.Clone().(distributed.Node), n.h}
}

// Drop removes from out's messages, from index on, those that fit.
func Drop(out *distributed.Out, from int, fits func(distributed.Message) bool) {
	kept := out.Messages[:from]
	for _, m := range out.Messages[from:] {
		if !fits(m) {
			kept = append(kept, m)
		}
	}
	out.Messages = kept
}

// Kind returns a test for a kind of message, for Drop.
func Kind(k distributed.Kind) func(distributed.Message) bool {
	return func(m distributed.Message) bool { return m.Kind == k }
}
