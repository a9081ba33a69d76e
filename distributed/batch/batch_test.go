package batch_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
	"shmbench/distributed/batch"
	"shmbench/distributed/permission"
	"shmbench/distributed/token"
)

// system delivers messages in the order of sending.
type system struct {
	nodes  []distributed.Node
	way    []distributed.Message
	sent   int
	inside []int // node of each thread in its critical section
	out    distributed.Out
	order  []distributed.ID // nodes in the order of entry
	thread int              // who entered last, for play
}

func start(t *testing.T, a distributed.Algorithm, n, m int) *system {
	nodes, err := a.New(distributed.Config{Nodes: n, Threads: m})
	require.NoError(t, err)
	s := &system{nodes: nodes}
	for i := range nodes {
		s.act(i, func(p distributed.Node) { p.Start(&s.out) })
	}
	return s
}

func (s *system) act(i int, act func(p distributed.Node)) {
	s.out.Reset()
	act(s.nodes[i])
	s.sent += len(s.out.Messages)
	s.way = append(s.way, s.out.Messages...)
	for range s.out.Grants {
		s.inside = append(s.inside, i)
		s.order = append(s.order, distributed.ID(i))
	}
}

func (s *system) request(i, th int) {
	s.act(i, func(p distributed.Node) { p.Request(distributed.Thread(th), &s.out) })
}

func (s *system) deliver() {
	for len(s.way) > 0 {
		m := s.way[0]
		s.way = s.way[1:]
		s.act(int(m.To), func(p distributed.Node) { p.Receive(m, &s.out) })
	}
}

func (s *system) release(th int) {
	i := s.inside[0]
	s.inside = s.inside[1:]
	s.act(i, func(p distributed.Node) { p.Release(distributed.Thread(th), &s.out) })
}

// Node 0 has the token; three of its threads ask and then one of node 1. With
// batches of two that costs four messages for four entries, and node 1 waits for
// two: request, token, and both again for the third thread.
func TestBatchOfTwo(t *testing.T) {
	s := start(t, batch.Algorithm(&token.NaimiTrehel, "two", 2), 2, 3)
	for th := range 3 {
		s.request(0, th)
	}
	s.request(1, 0)
	s.deliver()
	for _, th := range []int{0, 1, 0, 2} {
		require.Len(t, s.inside, 1)
		s.release(th)
		s.deliver()
	}
	require.Equal(t, []distributed.ID{0, 0, 1, 0}, s.order)
	require.Equal(t, 4, s.sent)
}

// A batch of waiting threads has no thread that came later: threads 0 and 1 of node 1
// wait when it gets the token, and thread 2 comes while the first is in its critical
// section.
func TestBatchOfThoseWhoWait(t *testing.T) {
	for b, want := range map[int][]distributed.ID{
		batch.Waiting: {0, 1, 1, 0, 1},
		batch.Endless: {0, 1, 1, 1, 0},
		1:             {0, 1, 0, 1, 1},
	} {
		s := start(t, batch.Algorithm(&token.Raymond, "b", b), 2, 3)
		s.request(0, 0)
		s.request(1, 0)
		s.request(1, 1)
		s.deliver()
		s.release(0)
		s.deliver()
		require.Equal(t, []int{1}, s.inside)
		s.request(1, 2)
		s.request(0, 0)
		s.deliver()
		for len(s.inside) > 0 {
			s.release(0)
			s.deliver()
		}
		require.Equal(t, want, s.order, "%d", b)
	}
}

// play lets threads ask and leave and messages arrive at random, and returns the messages
// and permissions of each event.
func (s *system) play(threads int) (log []string) {
	random := rand.New(rand.NewPCG(1, 2))
	asked := map[[2]int]bool{}
	for range 3000 {
		i, th := random.IntN(len(s.nodes)), random.IntN(threads)
		s.out.Reset()
		switch action := random.IntN(4); {
		case action < 2 && len(s.way) > 0:
			m := s.way[0]
			s.way = s.way[1:]
			s.act(int(m.To), func(p distributed.Node) { p.Receive(m, &s.out) })
		case action == 2 && len(s.inside) > 0:
			asked[[2]int{s.inside[0], s.thread}] = false
			s.release(s.thread)
		case action == 3 && !asked[[2]int{i, th}]:
			asked[[2]int{i, th}] = true
			s.request(i, th)
		}
		for _, t := range s.out.Grants {
			s.thread = int(t)
		}
		log = append(log, fmt.Sprint(s.out.Messages, s.out.Grants))
	}
	return log
}

// Batches of one are the algorithm itself, message for message.
func TestBatchesOfOne(t *testing.T) {
	for _, a := range []*distributed.Algorithm{&token.Raymond, &token.SuzukiKasami, &token.NaimiTrehel, &token.NeilsenMizuno} {
		plain, ones := start(t, *a, 5, 3), start(t, batch.Algorithm(a, "ones", 1), 5, 3)
		require.Equal(t, plain.play(3), ones.play(3), a.Name)
		require.Greater(t, len(plain.order), 200)
		twos := start(t, batch.Algorithm(a, "twos", 2), 5, 3)
		require.NotEqual(t, plain.play(3), twos.play(3), a.Name)
	}
}

func TestNoBatchesOfStampers(t *testing.T) {
	a := batch.Algorithm(&permission.Lamport, "s", 2)
	_, err := a.New(distributed.Config{Nodes: 2, Threads: 2})
	require.EqualError(t, err, "lamport: batches are of nodes that neither restart nor have timestamps or several locks")
}

// Nodes may have different numbers of threads, and room for more.
func TestBatchesOfUnequalNodes(t *testing.T) {
	_, err := batch.NaimiTrehelWaiting.New(distributed.Config{Nodes: 3, Threads: 3, Present: []int{3, 1, 2}})
	require.NoError(t, err)
}

// Start lets the algorithm begin: the token of a ring goes around before the first request.
func TestStartBegins(t *testing.T) {
	plain, twos := start(t, token.Ring, 3, 2), start(t, batch.Algorithm(&token.Ring, "twos", 2), 3, 2)
	require.NotEmpty(t, plain.way)
	require.Equal(t, plain.way, twos.way)
}

// The batches of the algorithms whose waiting threads enter together can have a bound. Other
// algorithms have no batches.
func TestBounded(t *testing.T) {
	for _, a := range []*distributed.Algorithm{&batch.RaymondWaiting, &batch.SuzukiKasamiWaiting, &batch.NaimiTrehelWaiting} {
		ones, ok := batch.Bounded(a, 1)
		require.True(t, ok, a.Name)
		require.Equal(t, a.Name, ones.Name)
		require.Equal(t, a.Title, ones.Title)
		s := start(t, ones, 2, 2)
		s.request(0, 0)
		s.request(0, 1)
		s.request(1, 0)
		s.deliver()
		for len(s.inside) > 0 {
			s.release(0)
			s.deliver()
		}
		require.Equal(t, []distributed.ID{0, 1, 0}, s.order, a.Name)
	}
	_, ok := batch.Bounded(&token.Raymond, 1)
	require.False(t, ok)
}

// The specification of an algorithm in batches says so in its name, its title and its
// costs. The specification of the algorithm stays as it is.
func TestSpecificationOfBatches(t *testing.T) {
	a := batch.SuzukiKasamiWaiting
	require.Equal(t, "suzuki-kasami-batch", a.Name)
	require.Equal(t, "Suzuki and Kasami's broadcast, in batches", a.Title)
	require.Contains(t, a.Source, token.SuzukiKasami.Source+"; extended after ")
	require.Equal(t, "0 or N, for each batch", a.Cost.Messages)
	require.Equal(t, "0 or 1, or 0 between threads of a node", a.Cost.SyncDelay)
	require.Equal(t, "0 or N", token.SuzukiKasami.Cost.Messages)
}

// alarm is a node that enters when its timer expires.
type alarm struct{ distributed.Node }

func (alarm) Start(*distributed.Out)                       {}
func (alarm) Request(distributed.Thread, *distributed.Out) {}
func (alarm) Expire(t distributed.TimerID, out *distributed.Out) {
	out.Grants = append(out.Grants, distributed.Thread(t))
}

// The timers of a node are those of the algorithm: if the expiry of one gives permission, the head
// of the queue enters.
func TestExpiry(t *testing.T) {
	alarms := token.Raymond
	alarms.New = func(c distributed.Config) ([]distributed.Node, error) {
		return []distributed.Node{alarm{}, alarm{}}, nil
	}
	s := start(t, batch.Algorithm(&alarms, "alarms", 2), 2, 2)
	var out distributed.Out
	s.nodes[0].Request(1, &out)
	require.Empty(t, out.Grants)
	s.nodes[0].Expire(0, &out)
	require.Equal(t, []distributed.Thread{1}, out.Grants)
}
