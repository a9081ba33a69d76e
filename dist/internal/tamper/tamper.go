// Package tamper makes a mutant of an algorithm: the shipped nodes with one of
// their events handled otherwise. So a mutant is as long as its flaw.
package tamper

import "shmbench/dist"

// Hooks handle events in place of node p's own methods, which they may call;
// nil leaves an event alone. Claims and costs are the original's: they are
// what the mutant fails.
type Hooks[N dist.Node] struct {
	Start   func(p N, out *dist.Out)
	Request func(p N, t dist.Thread, out *dist.Out)
	Release func(p N, t dist.Thread, out *dist.Out)
	Receive func(p N, m dist.Message, out *dist.Out)
	Expire  func(p N, t dist.TimerID, out *dist.Out)
}

// Mutant returns algorithm a with hooks h, whose nodes must be of type N.
func Mutant[N dist.Node](a dist.Algorithm, name, title string, h Hooks[N]) dist.Algorithm {
	build := a.New
	a.Name, a.Title = name, title
	a.New = func(c dist.Config) ([]dist.Node, error) {
		nodes, err := build(c)
		for i := range nodes {
			nodes[i] = &node[N]{Node: nodes[i], h: &h}
		}
		return nodes, err
	}
	return a
}

type node[N dist.Node] struct {
	dist.Node
	h *Hooks[N]
}

func (n *node[N]) Start(out *dist.Out) {
	if n.h.Start == nil {
		n.Node.Start(out)
	} else {
		n.h.Start(n.Node.(N), out)
	}
}

func (n *node[N]) Request(t dist.Thread, out *dist.Out) {
	if n.h.Request == nil {
		n.Node.Request(t, out)
	} else {
		n.h.Request(n.Node.(N), t, out)
	}
}

func (n *node[N]) Release(t dist.Thread, out *dist.Out) {
	if n.h.Release == nil {
		n.Node.Release(t, out)
	} else {
		n.h.Release(n.Node.(N), t, out)
	}
}

func (n *node[N]) Receive(m dist.Message, out *dist.Out) {
	if n.h.Receive == nil {
		n.Node.Receive(m, out)
	} else {
		n.h.Receive(n.Node.(N), m, out)
	}
}

func (n *node[N]) Expire(t dist.TimerID, out *dist.Out) {
	if n.h.Expire == nil {
		n.Node.Expire(t, out)
	} else {
		n.h.Expire(n.Node.(N), t, out)
	}
}

func (n *node[N]) Clone() dist.Machine { return &node[N]{n.Node.Clone().(dist.Node), n.h} }

// Drop removes from out's messages, from index on, those that fit.
func Drop(out *dist.Out, from int, fits func(dist.Message) bool) {
	kept := out.Messages[:from]
	for _, m := range out.Messages[from:] {
		if !fits(m) {
			kept = append(kept, m)
		}
	}
	out.Messages = kept
}

// Kind returns a test for a kind of message, for Drop.
func Kind(k dist.Kind) func(dist.Message) bool {
	return func(m dist.Message) bool { return m.Kind == k }
}
