// Package tamper makes mutants of algorithms. A mutant has the shipped nodes, but
// handles one of their events differently. So the code of a mutant is as short as
// its flaw.
package tamper

import (
	"slices"

	"shmbench/distributed"
)

// Hooks handle events in place of node p's own methods, which they may call. If a hook is
// nil, the node itself handles the event. Claims and costs stay those of the original
// algorithm; the mutant violates them.
type Hooks[N distributed.Node] struct {
	Start   func(p N, out *distributed.Out)
	Request func(p N, t distributed.Thread, out *distributed.Out)
	Release func(p N, t distributed.Thread, out *distributed.Out)
	Receive func(p N, m distributed.Message, out *distributed.Out)
	Expire  func(p N, t distributed.TimerID, out *distributed.Out)
}

// Mutant returns algorithm a with hooks h under a new name and title. The nodes
// of a must be of type N.
func Mutant[N distributed.Node](a distributed.Algorithm, name, title string, h Hooks[N]) distributed.Algorithm {
	if h.Start == nil {
		h.Start = N.Start
	}
	if h.Request == nil {
		h.Request = N.Request
	}
	if h.Release == nil {
		h.Release = N.Release
	}
	if h.Receive == nil {
		h.Receive = N.Receive
	}
	if h.Expire == nil {
		h.Expire = N.Expire
	}
	build := a.New
	a.Name, a.Title = name, title
	a.New = func(c distributed.Config) ([]distributed.Node, error) {
		nodes, err := build(c)
		for i, p := range nodes {
			nodes[i] = &node[N]{p.(N), &h}
		}
		return nodes, err
	}
	return a
}

type node[N distributed.Node] struct {
	p N
	h *Hooks[N]
}

func (n *node[N]) Start(out *distributed.Out)                          { n.h.Start(n.p, out) }
func (n *node[N]) Request(t distributed.Thread, out *distributed.Out)  { n.h.Request(n.p, t, out) }
func (n *node[N]) Release(t distributed.Thread, out *distributed.Out)  { n.h.Release(n.p, t, out) }
func (n *node[N]) Receive(m distributed.Message, out *distributed.Out) { n.h.Receive(n.p, m, out) }
func (n *node[N]) Expire(t distributed.TimerID, out *distributed.Out)  { n.h.Expire(n.p, t, out) }
func (n *node[N]) String() string                                      { return n.p.String() }

// Unwrap implements [distributed.Wrapper].
func (n *node[N]) Unwrap() distributed.Machine { return n.p }

// SilentRelease returns hooks for a release that sends no message of kind k.
func SilentRelease[N distributed.Node](k distributed.Kind) Hooks[N] {
	return Hooks[N]{Release: func(p N, t distributed.Thread, out *distributed.Out) {
		from := len(out.Messages)
		p.Release(t, out)
		Drop(out, from, Kind(k))
	}}
}

// NeverAsksAgain returns hooks for a node that gives the token away and does not
// ask for it back. The hooks drop the message of kind k that would ask.
func NeverAsksAgain[N distributed.Node](k distributed.Kind) Hooks[N] {
	forget := func(out *distributed.Out, from int) {
		if slices.ContainsFunc(out.Messages[from:], Kind(distributed.Token)) {
			Drop(out, from, Kind(k))
		}
	}
	return Hooks[N]{
		Receive: func(p N, m distributed.Message, out *distributed.Out) {
			from := len(out.Messages)
			p.Receive(m, out)
			forget(out, from)
		},
		Release: func(p N, t distributed.Thread, out *distributed.Out) {
			from := len(out.Messages)
			p.Release(t, out)
			forget(out, from)
		},
	}
}

// After returns hooks that call more after each message and each timer.
func After[N distributed.Node](more func(p N, out *distributed.Out)) Hooks[N] {
	return Hooks[N]{
		Receive: func(p N, m distributed.Message, out *distributed.Out) {
			p.Receive(m, out)
			more(p, out)
		},
		Expire: func(p N, t distributed.TimerID, out *distributed.Out) {
			p.Expire(t, out)
			more(p, out)
		},
	}
}

// Drop removes, from out's messages from index from on, those for which fits
// returns true.
func Drop(out *distributed.Out, from int, fits func(distributed.Message) bool) {
	kept := slices.DeleteFunc(out.Messages[from:], fits)
	out.Messages = out.Messages[:from+len(kept)]
}

// Kind returns a function for Drop that reports whether a message is of kind k.
func Kind(k distributed.Kind) func(distributed.Message) bool {
	return func(m distributed.Message) bool { return m.Kind == k }
}
