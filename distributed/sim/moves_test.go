package sim

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
	"shmbench/distributed/permission"
	"shmbench/distributed/token"
)

// fourNodes is a system of 4 nodes with room for all 6 threads.
func fourNodes(l Load, p float64) Options {
	o := system(&token.Mueller, 4, 6, l, 20_000)
	o.System.Present, o.Move = []int{1, 3, 1, 1}, p
	return o
}

// An entry is followed by a move with the probability asked for,
// which is a message; threads are neither lost nor made.
func TestThreadsMove(t *testing.T) {
	for _, l := range []Load{Poisson(1), Saturated(), Single()} {
		for _, p := range []float64{0, 0.3, 1} {
			o := fourNodes(l, p)
			e, err := newEngine(&o)
			require.NoError(t, err)
			e.start()
			e.play(t.Context(), 1<<40)
			require.Equal(t, Complete, e.end, e.detail)
			r := e.result()
			require.InDelta(t, p, float64(r.Messages[distributed.Move])/float64(r.Entries), 0.015)
			there, away := 0, len(e.queue.items)
			for _, s := range e.state {
				if s != absent {
					there++
				}
			}
			require.LessOrEqual(t, there, 6)
			require.GreaterOrEqual(t, there+away, 6, "who is not there is on its way")
		}
	}
}

// In one queue of all threads a node of three threads makes three times the entries of one where all threads
// always ask; where they move everywhere, all make as many.
func TestUnequalNodes(t *testing.T) {
	o := fourNodes(Saturated(), 0)
	r := run(t, o)
	require.InDelta(t, 36.0/(4*12), r.Jain, 0.06, "1, 3, 1 and 1 parts, and a little more to who hands over at home")
	require.Greater(t, run(t, fourNodes(Saturated(), 1)).Jain, 0.98)
}

func TestMovesAreRefused(t *testing.T) {
	for says, change := range map[string]func(o *Options){
		"a probability of 1.5 to move: 0 to 1":                                                     func(o *Options) { o.Move = 1.5 },
		"threads that move go without requests of any thread: a resting thread is not at one node": func(o *Options) { o.Load = PoissonAny(1) },
		"threads that move go without a node that only serves, where they could not ask":           func(o *Options) { o.System.Server, o.Algorithm = true, &permission.Central },
		"threads that move go without nodes that crash and networks that part":                     func(o *Options) { o.Faults = []Fault{{Kind: Crash, Node: 1}} },
		"threads [1 3 1 7]: each node begins with 1 to 6":                                          func(o *Options) { o.System.Present = []int{1, 3, 1, 7} },
		"numbers of threads of 1 nodes, for 4 nodes":                                               func(o *Options) { o.System.Present = []int{1} },
	} {
		o := fourNodes(Saturated(), 0.5)
		change(&o)
		require.EqualError(t, o.Check(), says)
	}
}
