package alien

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
)

// net runs nodes whose messages arrive at once, in the order of sending.
type net struct {
	t     *testing.T
	nodes []distributed.Node
	way   []distributed.Message
	log   []string // what was sent, and who entered
}

func newNet(t *testing.T, a distributed.Algorithm) *net {
	nodes, err := a.New(distributed.Config{Nodes: 3, Threads: 4, Parent: distributed.Path(3)})
	require.NoError(t, err)
	return &net{t: t, nodes: nodes}
}

func (n *net) request(i distributed.ID, t distributed.Thread) {
	n.do(i, func(p distributed.Node, out *distributed.Out) { p.Request(t, out) })
}

// release lets thread t of node i leave and returns what comes of it.
func (n *net) release(i distributed.ID, t distributed.Thread) string {
	n.log = nil
	n.do(i, func(p distributed.Node, out *distributed.Out) { p.Release(t, out) })
	return strings.Join(n.log, ", ")
}

func (n *net) do(i distributed.ID, act func(distributed.Node, *distributed.Out)) {
	var out distributed.Out
	act(n.nodes[i], &out)
	for _, t := range out.Grants {
		n.log = append(n.log, "enter "+string('0'+rune(i))+"."+string('0'+rune(t)))
	}
	for _, m := range out.Messages {
		n.log = append(n.log, m.String())
	}
	n.way = append(n.way, out.Messages...)
	for len(n.way) > 0 {
		m := n.way[0]
		n.way = n.way[1:]
		n.do(m.To, func(p distributed.Node, out *distributed.Out) { p.Receive(m, out) })
	}
}

// figure plays the scenario of the paper's figures 1 and 2 on the path 0–1–2:
// threads queue at node 0, which has the token; then some of node 2 ask; then
// more at nodes 0 and 1.
func figure(n *net) (asked string) {
	for t := range distributed.Thread(3) {
		n.request(0, t)
	}
	n.log = nil
	n.request(2, 0)
	n.request(2, 1)
	asked = strings.Join(n.log, ", ")
	n.log = nil
	n.request(0, 3)
	n.request(1, 0)
	return asked
}

func TestOriginalAsInFigure1(t *testing.T) {
	n := newNet(t, V1Piggyback)
	require.Equal(t, "2→1 signal who=2, 1→0 signal who=1", figure(n))
	require.Equal(t, "enter 0.1", n.release(0, 0))
	require.Equal(t, "enter 0.2", n.release(0, 1))
	// The token goes by way of node 1, whose own thread came after node 2's.
	require.Equal(t, "0→1 token and a request for its return, 1→2 token and a request for its return, enter 2.0", n.release(0, 2))
	require.Equal(t, "enter 2.1", n.release(2, 0))
	require.Equal(t, "2→1 token, enter 1.0", n.release(2, 1))
	require.Equal(t, "1→0 token, enter 0.3", n.release(1, 0))
	require.Equal(t, "", n.release(0, 3))
}

func TestVariantAsInFigure2(t *testing.T) {
	n := newNet(t, V2Piggyback)
	// Node 1 has no request of its own to add: it passes node 2's on.
	require.Equal(t, "2→1 signal who=2, 1→0 signal who=2", figure(n))
	require.Equal(t, "enter 0.1", n.release(0, 0))
	require.Equal(t, "enter 0.2", n.release(0, 1))
	require.Equal(t, "0→2 token and a request for its return, enter 2.0", n.release(0, 2))
}

func TestWithoutPiggybackingTheReturnIsAMessage(t *testing.T) {
	n := newNet(t, V1)
	figure(n)
	n.release(0, 0)
	n.release(0, 1)
	require.Equal(t, "0→1 token, 0→1 signal who=0, 1→2 token, 1→2 signal who=1, enter 2.0", n.release(0, 2))
}
