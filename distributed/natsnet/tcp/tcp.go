// Package tcp carries frames between processes over TCP, without a broker: every
// node listens, and dials every other one for what it sends. A connection that
// breaks is dialled again; what was lost with it is for package link to repair.
package tcp

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"shmbench/distributed"
	"shmbench/distributed/natsnet/wire"
)

// queue is how many frames wait for one connection: more are dropped.
const queue = 1024

// dialSoon and dialLate are how long a dial rests after a failure, at first and at the most.
const (
	dialSoon = 10 * time.Millisecond
	dialLate = time.Second
)

// patience is how long a connection that was accepted may be silent before its
// first frame.
const patience = 5 * time.Second

// A Carrier is node Me's part in a network of TCP connections.
type Carrier struct {
	me       distributed.ID
	nodes    int
	listener net.Listener
	log      func(error)
	ctx      context.Context
	cancel   context.CancelFunc
	out      []*outgoing // by node; nil: this one
	wg       sync.WaitGroup

	mu       sync.Mutex
	accepted map[net.Conn]bool
	apart    atomic.Pointer[[]bool]
}

// New makes the carrier of node me, which listens on l and finds the others at
// these addresses. log is told what goes wrong with connections; nil: nobody is.
func New(me distributed.ID, l net.Listener, addresses []string, log func(error)) *Carrier {
	if log == nil {
		log = func(error) {}
	}
	c := &Carrier{me: me, nodes: len(addresses), listener: l, log: log, out: make([]*outgoing, len(addresses)), accepted: map[net.Conn]bool{}}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	c.apart.Store(new(make([]bool, len(addresses))))
	for i, a := range addresses {
		if distributed.ID(i) != me {
			c.out[i] = &outgoing{to: distributed.ID(i), address: a, frames: make(chan []byte, queue)}
		}
	}
	return c
}

// Start implements link.Carrier.
func (c *Carrier) Start(receive func(frame []byte)) error {
	c.wg.Go(func() { c.accept(receive) })
	for _, o := range c.out {
		if o != nil {
			c.wg.Go(func() { o.run(c) })
		}
	}
	return nil
}

// Send implements link.Carrier.
func (c *Carrier) Send(to distributed.ID, frame []byte) {
	select {
	case c.out[to].frames <- append([]byte(nil), frame...):
	default: // link sends it again
	}
}

// Close implements link.Carrier.
func (c *Carrier) Close() error {
	c.cancel()
	err := c.listener.Close()
	c.mu.Lock()
	for conn := range c.accepted {
		conn.Close()
	}
	c.mu.Unlock()
	c.wg.Wait()
	return err
}

// Part cuts this node off those that apart names, and joins it to all others
// again: connections break and new ones are refused.
func (c *Carrier) Part(apart []bool) error {
	c.apart.Store(&apart)
	c.mu.Lock()
	for conn := range c.accepted {
		conn.Close()
	}
	c.mu.Unlock()
	for i, o := range c.out {
		if o != nil && apart[i] {
			o.hangUp()
		}
	}
	return nil
}

func (c *Carrier) parted(i distributed.ID) bool { return (*c.apart.Load())[i] }

// accept takes connections until the carrier is closed.
func (c *Carrier) accept(receive func([]byte)) {
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
		c.mu.Lock()
		if c.ctx.Err() != nil || len(c.accepted) >= 4*c.nodes { // each has one, and some are strangers
			c.mu.Unlock()
			conn.Close()
			continue
		}
		c.accepted[conn] = true
		c.mu.Unlock()
		c.wg.Go(func() {
			if err := c.read(conn, receive); err != nil && c.ctx.Err() == nil {
				c.log(fmt.Errorf("from %v: %w", conn.RemoteAddr(), err))
			}
			conn.Close()
			c.mu.Lock()
			delete(c.accepted, conn)
			c.mu.Unlock()
		})
	}
}

// hello is what a connection begins with: who dials.
const hello = "dmebench\x01"

// read takes frames from a connection, of which nothing is known, until it ends.
func (c *Carrier) read(conn net.Conn, receive func([]byte)) error {
	conn.SetReadDeadline(time.Now().Add(patience))
	r := bufio.NewReader(conn)
	head := make([]byte, len(hello)+4)
	if _, err := io.ReadFull(r, head); err != nil || string(head[:len(hello)]) != hello {
		return errors.New("a stranger: no frame of ours begins so")
	}
	from := binary.BigEndian.Uint32(head[len(hello):])
	if from >= uint32(c.nodes) || c.parted(distributed.ID(from)) {
		return fmt.Errorf("a connection of node %d, which is not expected", from)
	}
	var frame []byte
	for first := true; ; first = false {
		var size [4]byte
		if _, err := io.ReadFull(r, size[:]); err != nil {
			return nil // it has ended
		}
		n := binary.BigEndian.Uint32(size[:])
		if n > wire.MaxFrame {
			return fmt.Errorf("a frame of %d bytes: at most %d", n, wire.MaxFrame)
		}
		if uint32(cap(frame)) < n {
			frame = make([]byte, n)
		}
		if _, err := io.ReadFull(r, frame[:n]); err != nil {
			return nil
		}
		if first {
			conn.SetReadDeadline(time.Time{})
		}
		if c.parted(distributed.ID(from)) {
			return nil
		}
		receive(frame[:n])
	}
}
