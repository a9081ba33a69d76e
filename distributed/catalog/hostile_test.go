package catalog

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
)

// system is the nodes of an algorithm, and the messages between them, in random order
// where the algorithm allows it.
type system struct {
	a     *distributed.Algorithm
	rng   *rand.Rand
	n, m  int
	nodes []distributed.Node
	ways  map[[2]distributed.ID][]distributed.Message // of each sender to each receiver
	set   []map[distributed.TimerID]bool
	state [][]int // of each thread: 0 away, 1 asking, 2 inside
	seen  map[distributed.Kind]bool
	out   distributed.Out

	hostiles bool // some messages are not what a sound node sends
}

func newSystem(t *testing.T, a *distributed.Algorithm, seed uint64) *system {
	rng := rand.New(rand.NewPCG(seed, 29))
	s := &system{a: a, rng: rng, n: 2 + rng.IntN(4), m: 1 + rng.IntN(2), ways: map[[2]distributed.ID][]distributed.Message{}, seen: map[distributed.Kind]bool{}}
	var err error
	s.nodes, err = a.New(distributed.Config{Nodes: s.n, Threads: s.m})
	require.NoError(t, err)
	for i, node := range s.nodes {
		s.set = append(s.set, map[distributed.TimerID]bool{})
		s.state = append(s.state, make([]int, s.m))
		node.Start(&s.out)
		require.NoError(t, s.carryOut(distributed.ID(i)))
	}
	return s
}

// carryOut does what node i wrote to s.out. Where all nodes are sound, what they send
// has the forms of the specification.
func (s *system) carryOut(i distributed.ID) error {
	defer s.out.Reset()
	for _, m := range s.out.Messages {
		if m.From != i || m.To == i || m.To < 0 || int(m.To) >= s.n {
			return fmt.Errorf("node %d sends %v", i, m)
		}
		if err := s.a.Forms.Check(m, s.n); err != nil {
			if s.hostiles {
				continue // the receiver drops it
			}
			return fmt.Errorf("%w: %v", err, m)
		}
		s.seen[m.Kind] = true
		way := [2]distributed.ID{i, m.To}
		s.ways[way] = append(s.ways[way], m.Clone())
	}
	for _, t := range s.out.Grants {
		s.state[i][t] = 2
	}
	for _, t := range s.out.Revoked {
		s.state[i][t] = 0
	}
	for _, t := range s.out.Timers {
		s.set[i][t.ID] = t.After > 0
	}
	return nil
}

// threads lets some thread of node i ask or leave, if one can.
func (s *system) thread(i distributed.ID) {
	t := distributed.Thread(s.rng.IntN(s.m))
	switch {
	case s.state[i][t] == 0 && !(i == 0 && (s.a.Server || s.a.Apart)):
		s.state[i][t] = 1
		s.nodes[i].Request(t, &s.out)
	case s.state[i][t] == 2:
		s.state[i][t] = 0
		s.nodes[i].Release(t, &s.out)
	}
}

// step lets one thing happen: a thread asks or leaves, a message arrives, a timer
// expires, or a node crashes and restarts, if the algorithm survives that.
func (s *system) step() {
	i := distributed.ID(s.rng.IntN(s.n))
	switch k := s.rng.IntN(100); {
	case k < 20:
		s.thread(i)
	case k < 90:
		from := distributed.ID(s.rng.IntN(s.n))
		way := [2]distributed.ID{from, i}
		if len(s.ways[way]) == 0 {
			return
		}
		m := s.ways[way][0]
		s.ways[way] = s.ways[way][1:]
		s.nodes[i].Receive(m, &s.out)
	case k < 99:
		t := distributed.TimerID(s.rng.IntN(8))
		if !s.set[i][t] {
			return
		}
		s.set[i][t] = false
		s.nodes[i].Expire(t, &s.out)
	default:
		recoverer, recovers := s.nodes[i].(distributed.Recoverer)
		if !recovers || s.a.Apart && i == 0 {
			return
		}
		s.set[i], s.state[i] = map[distributed.TimerID]bool{}, make([]int, s.m)
		for j := range distributed.ID(s.n) {
			delete(s.ways, [2]distributed.ID{j, i})
		}
		recoverer.Recover(&s.out)
	}
	if err := s.carryOut(i); err != nil {
		panic(err.Error())
	}
}

// TestForms holds what nodes send, with timers that expire too early and nodes that
// restart, against the forms on the specification; and each form is that of some message.
func TestForms(t *testing.T) {
	var at string
	defer func() {
		if r := recover(); r != nil {
			t.Fatalf("%s: %v", at, r)
		}
	}()
	for _, a := range All {
		at = a.Name
		seen := map[distributed.Kind]bool{}
		for seed := range uint64(20) {
			s := newSystem(t, a, seed)
			for range 1500 {
				s.step()
			}
			for k := range s.seen {
				seen[k] = true
			}
		}
		require.Len(t, seen, len(a.Forms), "%s: %v", a.Name, seen)
	}
}

// hostile returns a message to node i that a broken node or a stranger may have
// sent: a frame says no more of it than that its nodes and threads exist and its
// numbers are at most 2⁵³.
func (s *system) hostile(i distributed.ID) distributed.Message {
	number := func() int64 {
		return [...]int64{0, 1, -1, 1 << 53, -1 << 53, int64(s.rng.IntN(s.n)), int64(s.rng.IntN(100))}[s.rng.IntN(7)]
	}
	from := distributed.ID(s.rng.IntN(s.n - 1))
	if from >= i {
		from++
	}
	m := distributed.Message{
		From: from, To: i, Who: distributed.ID(s.rng.IntN(s.n+1) - 1), Thread: distributed.Thread(s.rng.IntN(s.m)),
		Kind: distributed.Kind(s.rng.IntN(distributed.Kinds)), Flag: s.rng.IntN(2) == 0, Lock: uint16(number()), Stamp: number(), Clock: number(),
	}
	if s.rng.IntN(2) == 0 {
		m.Kind = s.a.Forms[s.rng.IntN(len(s.a.Forms))].Kind
	}
	for range s.rng.IntN(3) * s.rng.IntN(s.n+1) {
		m.Body = append(m.Body, number())
	}
	return m
}

// receive lets node i take m as a process does. It returns why the node ends.
func (s *system) receive(i distributed.ID, m distributed.Message) (ends any) {
	if err := s.a.Forms.Check(m, s.n); err != nil {
		return nil // dropped
	}
	defer func() { ends = recover() }()
	s.nodes[i].Receive(m, &s.out)
	if err := s.carryOut(i); err != nil {
		panic(err.Error()) // as package live does
	}
	s.step()
	return nil
}

// TestHostileMessages sends every algorithm what no node of it would send in its
// state. A node may end with a reason in words, or go wrong: it trusts the others. It
// must not do what its program did not foresee.
func TestHostileMessages(t *testing.T) {
	for _, a := range All {
		for seed := range uint64(150) {
			s := newSystem(t, a, seed)
			s.hostiles = true
			for range 40 {
				i := distributed.ID(s.rng.IntN(s.n))
				m := s.hostile(i)
				if ends := s.receive(i, m); ends != nil {
					_, unforeseen := ends.(runtime.Error)
					require.False(t, unforeseen, "%s: node %d of %d on %v: %v", a.Name, i, s.n, m, ends)
					break
				}
			}
		}
	}
}
