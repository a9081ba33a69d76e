package sim

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
	"shmbench/distributed/catalog"
)

// fake is a node whose answers are functions; it says nothing else.
type fake struct {
	distributed.Quiet
	request func(t distributed.Thread, out *distributed.Out)
	receive func(m distributed.Message, out *distributed.Out)
	expire  func(t distributed.TimerID, out *distributed.Out)
	release func(t distributed.Thread, out *distributed.Out)
	recover func(out *distributed.Out)
}

func (f *fake) Request(t distributed.Thread, out *distributed.Out) {
	if f.request != nil {
		f.request(t, out)
	}
}

func (f *fake) Release(t distributed.Thread, out *distributed.Out) {
	if f.release != nil {
		f.release(t, out)
	}
}

func (f *fake) Receive(m distributed.Message, out *distributed.Out) {
	if f.receive != nil {
		f.receive(m, out)
	}
}

func (f *fake) Expire(t distributed.TimerID, out *distributed.Out) {
	if f.expire != nil {
		f.expire(t, out)
	}
}

func (f *fake) String() string { return "" }

// mortal is a fake that can restart.
type mortal struct{ fake }

func (f *mortal) Recover(out *distributed.Out) {
	if f.recover != nil {
		f.recover(out)
	}
}

// algorithm wraps nodes made by the given function.
func algorithm(node func(me distributed.ID) distributed.Node) *distributed.Algorithm {
	return &distributed.Algorithm{Name: "fake", New: func(c distributed.Config) ([]distributed.Node, error) {
		nodes := make([]distributed.Node, c.Nodes)
		for i := range nodes {
			nodes[i] = node(distributed.ID(i))
		}
		return nodes, nil
	}}
}

func find(t testing.TB, name string) *distributed.Algorithm {
	a, err := catalog.Find(name)
	require.NoError(t, err)
	return a
}

// system returns options of n nodes of m threads: 10 ms inside, delays up to
// 100 ms.
func system(a *distributed.Algorithm, n, m int, l Load, entries int) Options {
	return Options{
		Algorithm: a, System: distributed.Config{Nodes: n, Threads: m}, Load: l,
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
