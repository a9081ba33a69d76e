package tamper

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
)

// talker is a node that answers each event with messages.
type talker struct{ id distributed.ID }

func (p *talker) say(out *distributed.Out, kinds ...distributed.Kind) {
	for _, k := range kinds {
		out.Send(distributed.Message{Kind: k, From: p.id})
	}
}

func (p *talker) Start(out *distributed.Out)                         { p.say(out, distributed.Up) }
func (p *talker) Request(_ distributed.Thread, out *distributed.Out) { p.say(out, distributed.Request) }
func (p *talker) Release(t distributed.Thread, out *distributed.Out) {
	if t == 0 {
		p.say(out, distributed.Token)
	}
	p.say(out, distributed.Request, distributed.Release)
}
func (p *talker) Receive(m distributed.Message, out *distributed.Out) {
	if m.Kind == distributed.Request {
		p.say(out, distributed.Token)
	}
	p.say(out, distributed.Request, distributed.Ack)
}
func (p *talker) Expire(_ distributed.TimerID, out *distributed.Out) { p.say(out, distributed.Ping) }
func (p *talker) String() string                                     { return fmt.Sprint("talker ", p.id) }

var talkers = distributed.Algorithm{Name: "talkers", Title: "Talkers", New: func(c distributed.Config) ([]distributed.Node, error) {
	if c.Nodes == 0 {
		return nil, errors.New("no nodes")
	}
	return c.Build(func(i distributed.ID) distributed.Node { return &talker{i} })
}}

// mutant returns node 1 of the algorithm with hooks.
func mutant(t *testing.T, h Hooks[*talker]) distributed.Node {
	t.Helper()
	a := Mutant(talkers, "name", "title", h)
	require.Equal(t, "name", a.Name)
	require.Equal(t, "title", a.Title)
	nodes, err := a.New(distributed.Config{Nodes: 2, Threads: 1})
	require.NoError(t, err)
	require.Equal(t, "talker 1", nodes[1].String())
	require.Equal(t, &talker{1}, distributed.Unwrapped(nodes[1]))
	return nodes[1]
}

// events are what a node answers.
var events = map[string]func(p distributed.Node, out *distributed.Out){
	"start":   func(p distributed.Node, out *distributed.Out) { p.Start(out) },
	"request": func(p distributed.Node, out *distributed.Out) { p.Request(0, out) },
	"release": func(p distributed.Node, out *distributed.Out) { p.Release(0, out) },
	"other":   func(p distributed.Node, out *distributed.Out) { p.Release(1, out) },
	"receive": func(p distributed.Node, out *distributed.Out) {
		p.Receive(distributed.Message{Kind: distributed.Request}, out)
	},
	"ack": func(p distributed.Node, out *distributed.Out) {
		p.Receive(distributed.Message{Kind: distributed.Ack}, out)
	},
	"expire": func(p distributed.Node, out *distributed.Out) { p.Expire(0, out) },
}

// says returns the kinds of the messages with which a node answers each event. A message of
// an earlier event, which a hook must keep, comes first.
func says(p distributed.Node) map[string]string {
	all := map[string]string{}
	for name, event := range events {
		out := distributed.Out{Messages: []distributed.Message{{Kind: distributed.Request}}}
		event(p, &out)
		var kinds []distributed.Kind
		for _, m := range out.Messages[1:] {
			kinds = append(kinds, m.Kind)
		}
		all[name] = fmt.Sprint(kinds)
	}
	return all
}

// own is what a node without hooks answers.
var own = map[string]string{
	"start": "[up]", "request": "[request]", "release": "[token request release]", "other": "[request release]",
	"receive": "[token request ack]", "ack": "[request ack]", "expire": "[ping]",
}

// A hook handles its event in place of the node. The node handles all other events.
func TestHooks(t *testing.T) {
	pong := func(p *talker, out *distributed.Out) { p.say(out, distributed.Pong) }
	for name, c := range map[string]struct {
		hooks   Hooks[*talker]
		changes map[string]string
	}{
		"none":    {},
		"start":   {Hooks[*talker]{Start: pong}, map[string]string{"start": "[pong]"}},
		"request": {Hooks[*talker]{Request: func(p *talker, _ distributed.Thread, out *distributed.Out) { pong(p, out) }}, map[string]string{"request": "[pong]"}},
		"release": {Hooks[*talker]{Release: func(p *talker, _ distributed.Thread, out *distributed.Out) { pong(p, out) }}, map[string]string{"release": "[pong]", "other": "[pong]"}},
		"receive": {Hooks[*talker]{Receive: func(p *talker, _ distributed.Message, out *distributed.Out) { pong(p, out) }}, map[string]string{"receive": "[pong]", "ack": "[pong]"}},
		"expire":  {Hooks[*talker]{Expire: func(p *talker, _ distributed.TimerID, out *distributed.Out) { pong(p, out) }}, map[string]string{"expire": "[pong]"}},

		"silent release":   {SilentRelease[*talker](distributed.Release), map[string]string{"release": "[token request]", "other": "[request]"}},
		"never asks again": {NeverAsksAgain[*talker](distributed.Request), map[string]string{"release": "[token release]", "receive": "[token ack]"}},
		"after":            {After(pong), map[string]string{"receive": "[token request ack pong]", "ack": "[request ack pong]", "expire": "[ping pong]"}},
	} {
		want := map[string]string{}
		for event := range own {
			want[event] = own[event]
			if changed, is := c.changes[event]; is {
				want[event] = changed
			}
		}
		require.Equal(t, want, says(mutant(t, c.hooks)), name)
	}
}

// A mutant refuses the systems that its algorithm refuses.
func TestMutantRefuses(t *testing.T) {
	a := Mutant(talkers, "name", "title", Hooks[*talker]{})
	_, err := a.New(distributed.Config{})
	require.EqualError(t, err, "no nodes")
	require.Equal(t, "talkers", talkers.Name)
}
