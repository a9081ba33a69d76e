// Package tcp carries frames between processes over TCP, without a broker. Every node
// listens, and dials every other node to send to it. A node dials a broken connection
// again. Package link sends the lost frames again.
//
// A connection begins with a preamble: a constant of this project, the name of the run,
// and the number of the dialing node. The carrier refuses a client that does not know the
// run. Such a client keeps no other client out.
package tcp

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"shmbench/distributed"
	"shmbench/distributed/natsnet/link"
	"shmbench/distributed/natsnet/wire"
)

// queue is how many frames may wait for one connection. The carrier drops further
// frames.
const queue = 1024

// dialSoon and dialLate are the shortest and the longest pause after a failed dial.
const (
	dialSoon = 10 * time.Millisecond
	dialLate = time.Second
)

// A Carrier is node me's part of a network of TCP connections.
type Carrier struct {
	run      wire.Run
	me       distributed.ID
	listener net.Listener
	log      func(error)
	ctx      context.Context
	cancel   context.CancelFunc
	out      []*outgoing // by node; nil: this node
	wg       sync.WaitGroup
	receive  link.Receive
	in       guests
	sentAway atomic.Int64
}

// New makes the carrier of node me, which listens on l and finds the other nodes at
// these addresses. log gets the errors of connections; if log is nil, the carrier
// drops them.
func New(run wire.Run, me distributed.ID, l net.Listener, addresses []string, log func(error)) *Carrier {
	if log == nil {
		log = func(error) {}
	}
	c := &Carrier{run: run, me: me, listener: l, log: log, out: make([]*outgoing, len(addresses))}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	for i, a := range addresses {
		if distributed.ID(i) != me {
			c.out[i] = &outgoing{to: distributed.ID(i), address: a, frames: make(chan []byte, queue)}
		}
	}
	return c
}

// Start implements [link.Carrier].
func (c *Carrier) Start(receive link.Receive) error {
	c.receive = receive
	c.wg.Go(c.accept)
	for _, o := range c.out {
		if o != nil {
			c.wg.Go(func() { o.run(c) })
		}
	}
	return nil
}

// Send implements [link.Carrier].
func (c *Carrier) Send(to distributed.ID, frame []byte) {
	if int(to) < len(c.out) && c.out[to] != nil {
		c.out[to].queued.Add(1)
		if !put(c.out[to].frames, frame) {
			c.out[to].queued.Add(-1)
		}
	}
}

// put puts a copy of frame into a queue, unless the queue is full. Package link
// sends a dropped frame again.
func put(frames chan<- []byte, frame []byte) bool {
	select {
	case frames <- append([]byte(nil), frame...):
		return true
	default:
		return false
	}
}

// Greet implements [link.Carrier]. It does nothing, because package link says hello to
// the nodes at their addresses.
func (c *Carrier) Greet([]byte) {}

// goodbye is the longest time for which Close waits for the last frames to go
// out.
const goodbye = 300 * time.Millisecond

// Close implements [link.Carrier].
func (c *Carrier) Close() error {
	for end := time.Now().Add(goodbye); time.Now().Before(end) && c.pending(); {
		time.Sleep(goodbye / 50)
	}
	c.cancel()
	err := c.listener.Close()
	c.in.closeAll()
	c.wg.Wait()
	return err
}

// pending reports whether frames wait for a connection that is up.
func (c *Carrier) pending() bool {
	for _, o := range c.out {
		if o != nil && o.up() && o.queued.Load() > 0 {
			return true
		}
	}
	return false
}

// Strangers returns how many connections the carrier has refused.
func (c *Carrier) Strangers() int64 { return c.sentAway.Load() }

// accept accepts connections until the carrier is closed.
func (c *Carrier) accept() {
	for {
		conn, err := c.listener.Accept()
		if err != nil {
			if c.ctx.Err() == nil && !errors.Is(err, net.ErrClosed) {
				c.log(fmt.Errorf("accepting connections: %w", err))
				time.Sleep(dialSoon)
				continue
			}
			return
		}
		g := &guest{conn: conn, answers: make(chan []byte, 16)}
		if out := c.in.welcome(g, c.ctx); out != nil {
			c.sentAway.Add(1)
			c.log(fmt.Errorf("from %v: sent away: more than %d connections wait to say who they are", out.conn.RemoteAddr(), waiting))
		}
		c.wg.Go(func() {
			if err := c.host(g); err != nil && c.ctx.Err() == nil {
				c.sentAway.Add(1)
				c.log(fmt.Errorf("from %v: %w", conn.RemoteAddr(), err))
			}
			c.in.leave(g)
		})
	}
}
