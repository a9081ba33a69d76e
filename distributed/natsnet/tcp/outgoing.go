package tcp

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"shmbench/distributed"
)

// outgoing is the connection that this node dials to another node.
type outgoing struct {
	to      distributed.ID
	address string
	frames  chan []byte
	queued  atomic.Int64 // frames in the queue or taken from it that are neither written nor lost

	mu   sync.Mutex
	conn net.Conn // nil: there is no connection

	heard  bool // a frame came back on some connection
	hungUp bool // the other side has closed a connection without a frame, and the carrier has logged that
}

// run keeps the connection up until the carrier is closed.
func (o *outgoing) run(c *Carrier) {
	rest := dialSoon
	for c.ctx.Err() == nil {
		var d net.Dialer
		if conn, err := d.DialContext(c.ctx, "tcp", o.address); err == nil {
			rest = dialSoon
			o.use(c, conn)
		}
		select {
		case <-c.ctx.Done():
		case <-time.After(rest):
			rest = min(2*rest, dialLate)
		}
	}
}

// use writes frames to conn and reads answers from it, until conn fails.
func (o *outgoing) use(c *Carrier, conn net.Conn) {
	o.set(conn)
	stop := make(chan struct{})
	go func() {
		select {
		case <-c.ctx.Done():
		case <-stop:
		}
		conn.Close()
	}()
	answered := make(chan struct{})
	go func() {
		o.answers(c, conn)
		close(answered)
	}()
	o.write(c, conn)
	close(stop)
	<-answered
	o.set(nil)
}

// answers handles the frames that come back on the connection.
func (o *outgoing) answers(c *Carrier, conn net.Conn) {
	n, err := c.frames(conn, bufio.NewReader(conn), o.to, 0, func([]byte) {})
	conn.Close() // it is dialed again
	o.heard = o.heard || n > 0
	switch {
	case c.ctx.Err() != nil || o.hungUp:
	case err != nil:
		c.log(fmt.Errorf("no node answers at %s, the address of node %d: %w", o.address, o.to, err))
		o.hungUp = true
	case !o.heard:
		c.log(fmt.Errorf("node %d, at %s, hangs up: it may be of another run (-run), or no node", o.to, o.address))
		o.hungUp = true
	}
}

func (o *outgoing) set(conn net.Conn) {
	o.mu.Lock()
	o.conn = conn
	o.mu.Unlock()
}

// up reports whether there is a connection.
func (o *outgoing) up() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.conn != nil
}

// write writes frames to conn until conn fails.
func (o *outgoing) write(c *Carrier, conn net.Conn) {
	taken := int64(0) // from the queue, and not known to be written
	defer func() { o.queued.Add(-taken) }()
	w := bufio.NewWriter(conn)
	w.Write(preamble(c.run, c.me))
	if w.Flush() != nil { // at once: the other side waits for no more than this
		return
	}
	for {
		select {
		case f := <-o.frames:
			taken++
			w.Write(binary.BigEndian.AppendUint32(nil, uint32(len(f))))
			w.Write(f)
			if len(o.frames) > 0 {
				continue
			}
			if w.Flush() != nil {
				return
			}
			o.queued.Add(-taken)
			taken = 0
		case <-c.ctx.Done():
			return
		}
	}
}
