package sim

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/dist"
	"shmbench/dist/catalog"
)

// fake is a node whose answers are functions; it says nothing else.
type fake struct {
	dist.Quiet
	request func(t dist.Thread, out *dist.Out)
	receive func(m dist.Message, out *dist.Out)
	expire  func(t dist.TimerID, out *dist.Out)
	release func(t dist.Thread, out *dist.Out)
	recover func(out *dist.Out)
}

func (f *fake) Request(t dist.Thread, out *dist.Out) {
	if f.request != nil {
		f.request(t, out)
	}
}

func (f *fake) Release(t dist.Thread, out *dist.Out) {
	if f.release != nil {
		f.release(t, out)
	}
}

func (f *fake) Receive(m dist.Message, out *dist.Out) {
	if f.receive != nil {
		f.receive(m, out)
	}
}

func (f *fake) Expire(t dist.TimerID, out *dist.Out) {
	if f.expire != nil {
		f.expire(t, out)
	}
}

func (f *fake) Clone() dist.Machine         { return f }
func (f *fake) AppendState(b []byte) []byte { return b }
func (f *fake) String() string              { return "" }

// mortal is a fake that can restart.
type mortal struct{ fake }

func (f *mortal) Recover(out *dist.Out) {
	if f.recover != nil {
		f.recover(out)
	}
}

// algorithm wraps nodes made by the given function.
func algorithm(node func(me dist.ID) dist.Node) *dist.Algorithm {
	return &dist.Algorithm{Name: "fake", New: func(c dist.Config) ([]dist.Node, error) {
		nodes := make([]dist.Node, c.Nodes)
		for i := range nodes {
			nodes[i] = node(dist.ID(i))
		}
		return nodes, nil
	}}
}

func find(t testing.TB, name string) *dist.Algorithm {
	a, err := catalog.Find(name)
	require.NoError(t, err)
	return a
}

// system returns options of n nodes of m threads: 10 ms inside, delays up to
// 100 ms.
func system(a *dist.Algorithm, n, m int, l Load, entries int) Options {
	return Options{
		Algorithm: a, System: dist.Config{Nodes: n, Threads: m}, Load: l,
		Section: Fixed(10 * time.Millisecond), Delay: Uniform(0, 100*time.Millisecond),
		Warmup: entries / 10, Entries: entries, Seed: 1,
	}
}

func run(t testing.TB, o Options) Result {
	t.Helper()
	r, err := Run(context.Background(), o)
	require.NoError(t, err)
	return r
}
