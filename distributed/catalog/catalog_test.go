package catalog_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
	"shmbench/distributed/catalog"
	"shmbench/distributed/internal/fields"
)

func TestFind(t *testing.T) {
	seen := map[string]bool{}
	for _, a := range catalog.All {
		require.False(t, seen[a.Name], "%s twice", a.Name)
		seen[a.Name] = true
		require.NotEmpty(t, a.Title)
		require.NotEmpty(t, a.Source)
		require.NotEmpty(t, a.Family)
		require.NotEmpty(t, a.Cost.Messages)
		found, err := catalog.Find(a.Name)
		require.NoError(t, err)
		require.Same(t, a, found)
	}
	_, err := catalog.Find("nope")
	require.ErrorContains(t, err, `no algorithm "nope"`)
}

func TestNewRefusesWhatCannotRun(t *testing.T) {
	for _, a := range catalog.All {
		_, err := a.New(distributed.Config{Nodes: 1, Threads: 1})
		require.EqualError(t, err, "1 nodes: mutual exclusion by messages wants at least 2", a.Name)
		_, err = a.New(distributed.Config{Nodes: 3, Threads: 0})
		require.EqualError(t, err, "0 threads a node: at least 1", a.Name)
		_, err = a.New(distributed.Config{Nodes: 3, Threads: 1, Parent: []distributed.ID{0, 2, 1}})
		require.EqualError(t, err, "the tree has a cycle: node 1 never reaches the root 0", a.Name)
	}
}

// Whatever an algorithm sends survives the wire, a clone shares nothing with
// its original, and equal states print alike.
func TestMessagesAndClones(t *testing.T) {
	for _, a := range catalog.All {
		t.Run(a.Name, func(t *testing.T) {
			w := newWorld(t, a, 7, 2)
			w.inspect = func(i distributed.ID, act func(distributed.Node, *distributed.Out)) {
				p := w.nodes[i]
				before := fields.Append(nil, p)
				c := fields.Clone(p)
				require.Equal(t, before, fields.Append(nil, c))
				require.Equal(t, p.String(), c.String())
				var one, two distributed.Out
				act(c, &one)
				require.Equal(t, before, fields.Append(nil, p), "a clone's event reached the original")
				act(fields.Clone(p), &two)
				require.Equal(t, one.Grants, two.Grants)
				require.Len(t, two.Messages, len(one.Messages))
			}
			for range 3000 {
				w.step(3)
				for _, m := range w.out.Messages {
					wire := m.AppendWire(nil)
					got, rest, err := distributed.ParseMessage(wire)
					require.NoError(t, err)
					require.Empty(t, rest)
					require.Equal(t, m, got)
				}
			}
			require.Positive(t, w.entries)
		})
	}
}

// In steady state no event allocates.
func TestEventsDoNotAllocate(t *testing.T) {
	for _, a := range catalog.All {
		w := newWorld(t, a, 15, 2)
		for range 200_000 {
			w.step(1)
		}
		entries := w.entries
		n := testing.AllocsPerRun(10, func() {
			for range 1000 {
				w.step(1)
			}
		})
		require.Zero(t, n, a.Name)
		require.Greater(t, w.entries, entries)
	}
}

// Messages an entry are what the specification says, when one asks at a time and when
// all do.
func TestCostOfSpecifications(t *testing.T) {
	for _, a := range catalog.All {
		for _, n := range []int{2, 7, 15, 16} {
			for _, load := range []struct {
				name  string
				bound func(c distributed.Config) (float64, float64)
				idle  bool
			}{{"idle", a.Cost.Idle, true}, {"busy", a.Cost.Busy, false}} {
				if load.bound == nil {
					continue
				}
				w := newWorld(t, a, n, 1)
				step := w.full
				if load.idle {
					step = func() { w.step(1) }
				}
				w.oneAtATime = load.idle
				for w.entries < 2000 {
					step()
				}
				w.entries, w.messages = 0, 0
				for w.entries < 2000 {
					step()
				}
				least, most := load.bound(distributed.Config{Nodes: n, Threads: 1})
				got := float64(w.messages) / float64(w.entries)
				require.GreaterOrEqual(t, got, 0.97*least, "%s n=%d %s", a.Name, n, load.name)
				require.LessOrEqual(t, got, 1.03*most, "%s n=%d %s", a.Name, n, load.name)
				t.Logf("%s n=%d %s: %.2f in %.2f..%.2f", a.Name, n, load.name, got, least, most)
			}
		}
	}
}

// world is a system on a network that delivers in the order of sending, and
// never lets time pass.
type world struct {
	t                 *testing.T
	nodes             []distributed.Node
	threads           int
	apart             bool // nothing is asked for at node 0
	random            *rand.Rand
	waiting, inside   [][]bool
	oneAtATime        bool // no process asks while a process waits or is inside
	busy              int  // threads that wait or are in their critical sections
	way               []distributed.Message
	head              int
	out               distributed.Out
	entries, messages int
	inspect           func(i distributed.ID, act func(distributed.Node, *distributed.Out))
}

func newWorld(t *testing.T, a *distributed.Algorithm, n, threads int) *world {
	nodes, err := a.New(distributed.Config{Nodes: n, Threads: threads})
	require.NoError(t, err)
	w := &world{t: t, nodes: nodes, threads: threads, apart: a.Apart, random: rand.New(rand.NewPCG(1, 2))}
	for range nodes {
		w.waiting = append(w.waiting, make([]bool, threads))
		w.inside = append(w.inside, make([]bool, threads))
	}
	for i := range nodes {
		w.act(distributed.ID(i), distributed.Message{Kind: start})
	}
	return w
}

// events that are no messages, for act
const (
	start = distributed.Kind(200 + iota)
	request
	release
)

// step delivers a message or, one time in ask, lets a random thread ask or
// leave.
func (w *world) step(ask int) {
	first := 0
	if w.apart {
		first = 1
	}
	i, th := first+w.random.IntN(len(w.nodes)-first), w.random.IntN(w.threads)
	switch {
	case w.underWay() && (w.oneAtATime && w.random.IntN(8) > 0 || w.random.IntN(1+ask) > 0):
		w.deliver()
	case w.inside[i][th]:
		w.release(i, th)
	case !w.waiting[i][th] && (!w.oneAtATime || w.busy == 0 && !w.underWay()):
		w.request(i, th)
	}
}

// full is a step under full load: who can ask asks, then messages arrive, and
// only when none is under way does the one inside leave.
func (w *world) full() {
	for i := range w.nodes {
		for th := range w.threads {
			if (i > 0 || !w.apart) && !w.waiting[i][th] && !w.inside[i][th] {
				w.request(i, th)
			}
		}
	}
	if w.underWay() {
		w.deliver()
		return
	}
	for i := range w.nodes {
		for th := range w.threads {
			if w.inside[i][th] {
				w.release(i, th)
				return
			}
		}
	}
}

func (w *world) underWay() bool { return w.head < len(w.way) }

func (w *world) deliver() {
	m := w.way[w.head]
	w.way[w.head].Body = nil
	if w.head++; w.head > 4096 {
		w.way = w.way[:copy(w.way, w.way[w.head:])]
		w.head = 0
	}
	w.act(m.To, m)
}

func (w *world) request(i, th int) {
	w.waiting[i][th] = true
	w.busy++
	w.act(distributed.ID(i), distributed.Message{Kind: request, Thread: distributed.Thread(th)})
}

func (w *world) release(i, th int) {
	w.inside[i][th] = false
	w.busy--
	w.act(distributed.ID(i), distributed.Message{Kind: release, Thread: distributed.Thread(th)})
}

func (w *world) act(i distributed.ID, m distributed.Message) {
	if w.inspect != nil {
		w.inspect(i, func(p distributed.Node, out *distributed.Out) { deliver(p, m.Clone(), out) })
	}
	w.out.Reset()
	deliver(w.nodes[i], m, &w.out)
	w.messages += len(w.out.Messages)
	w.way = append(w.way, w.out.Messages...)
	for _, t := range w.out.Grants {
		if !w.waiting[i][t] {
			w.t.Fatalf("thread %d of node %d is granted without having asked", t, i)
		}
		w.waiting[i][t], w.inside[i][t] = false, true
		w.entries++
	}
}

func deliver(p distributed.Node, m distributed.Message, out *distributed.Out) {
	switch m.Kind {
	case start:
		p.Start(out)
	case request:
		p.Request(m.Thread, out)
	case release:
		p.Release(m.Thread, out)
	default:
		p.Receive(m, out)
	}
}

// The canonical form tells states apart that print differently: here by a run
// of each algorithm, and in the explorer at every state.
func TestCanonicalFormFollowsPrint(t *testing.T) {
	for _, a := range catalog.All {
		w := newWorld(t, a, 3, 1)
		var forms [][]byte
		var prints []string
		for range 300 {
			w.step(1)
			form, text := fields.Append(nil, w.nodes[0]), w.nodes[0].String()
			for k := range forms {
				require.Equal(t, bytes.Equal(forms[k], form), prints[k] == text, "%s:\n%s\n%s", a.Name, prints[k], text)
			}
			forms, prints = append(forms, form), append(prints, text)
		}
	}
}
