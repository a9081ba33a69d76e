// Package bus carries frames between processes over NATS core. NATS core delivers a message
// at most once, and drops messages that a slow consumer does not take. Package link sends
// the dropped messages again.
//
// Node i publishes its frames to node j of a run under dmebench.RUN.j.i, and its greetings
// to all listeners under dmebench.RUN.hello.i. A server that lets node i publish only under
// dmebench.RUN.*.i prevents it from speaking for other nodes.
package bus

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"shmbench/distributed"
	"shmbench/distributed/natsnet/link"
	"shmbench/distributed/natsnet/wire"
)

// pending is how many frames of one node may wait for this node. NATS drops
// further frames.
const pending = 1024

// A Carrier is node me's connection to a run over NATS.
type Carrier struct {
	conn *Conn
	run  wire.Run
	me   distributed.ID

	nodes  int
	frames []*nats.Subscription // of each other node
}

// New makes the carrier of node me among n nodes over conn. The carrier owns
// conn.
func New(conn *Conn, run wire.Run, me distributed.ID, n int) *Carrier {
	return &Carrier{conn: conn, run: run, me: me, nodes: n}
}

// Subject returns the subject of the frames of node from to node to.
func Subject(run wire.Run, to, from distributed.ID) string {
	return fmt.Sprintf("dmebench.%v.%d.%d", run, to, from)
}

// greeting returns the subject of the greetings of a node, or of all nodes for
// "*".
func greeting(run wire.Run, from string) string {
	return fmt.Sprintf("dmebench.%v.hello.%s", run, from)
}

// starting is how long the server may take to answer.
const starting = 10 * time.Second

// Start implements [link.Carrier].
func (c *Carrier) Start(receive link.Receive) error {
	if most := c.conn.MaxPayload(); most < wire.MaxFrame {
		return fmt.Errorf("the NATS server takes messages of at most %d bytes (max_payload): it must take %d", most, wire.MaxFrame)
	}
	for from := range distributed.ID(c.nodes) {
		if from == c.me {
			continue
		}
		answer := c.answer(from)
		s, err := c.subscribe(Subject(c.run, c.me, from), func(m *nats.Msg) { receive(from, m.Data, answer) })
		if err != nil {
			return err
		}
		c.frames = append(c.frames, s)
	}
	_, err := c.subscribe(greeting(c.run, "*"), func(m *nats.Msg) {
		number, err := strconv.ParseUint(m.Subject[strings.LastIndexByte(m.Subject, '.')+1:], 10, 16)
		if from := distributed.ID(number); err == nil {
			receive(from, m.Data, c.answer(from))
		}
	})
	if err != nil {
		return err
	}
	return c.conn.FlushTimeout(starting)
}

func (c *Carrier) answer(to distributed.ID) func([]byte) {
	return func(frame []byte) { c.Send(to, frame) }
}

// subscribe lets do handle the messages on a subject.
func (c *Carrier) subscribe(subject string, do nats.MsgHandler) (*nats.Subscription, error) {
	s, err := c.conn.Subscribe(subject, do)
	if err != nil {
		return nil, err
	}
	return s, s.SetPendingLimits(pending, pending*wire.MaxFrame/16)
}

// Send implements [link.Carrier].
func (c *Carrier) Send(to distributed.ID, frame []byte) {
	c.conn.Publish(Subject(c.run, to, c.me), frame) // an error is a loss, which link repairs
}

// Greet implements [link.Carrier].
func (c *Carrier) Greet(frame []byte) {
	c.conn.Publish(greeting(c.run, fmt.Sprint(c.me)), frame)
}

// Dropped returns how many frames NATS has dropped because this node took them
// too slowly.
func (c *Carrier) Dropped() (n int) {
	for _, s := range c.frames {
		d, _ := s.Dropped()
		n += d
	}
	return n
}

// Down returns how long there has been no connection to the server, or 0 while there
// is one.
func (c *Carrier) Down() time.Duration { return c.conn.Down() }

// Close implements [link.Carrier].
func (c *Carrier) Close() error {
	if c.conn.IsConnected() {
		c.conn.FlushTimeout(100 * time.Millisecond) // the last frames go out, if the server is there
	}
	c.conn.Close()
	return nil
}
