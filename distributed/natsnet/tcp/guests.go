package tcp

import (
	"bufio"
	"context"
	"crypto/subtle"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"sync"
	"time"

	"shmbench/distributed"
	"shmbench/distributed/natsnet/wire"
)

// patience is how long an accepted connection may take to say which node dials.
const patience = 5 * time.Second

// idle is how long an identified connection may be silent. A live node sends more
// often, and dials again.
const idle = time.Minute

// waiting is how many connections may be open that have not said which node
// dials. Beyond it, the carrier closes the oldest of them. A node identifies
// itself at once, so strangers keep it out only if they come faster than it does.
const waiting = 64

// each is how many connections one node may have. strangers is how many numbers
// may appear that belong to no node; they come from processes of a run with
// another number of nodes.
const (
	each      = 4
	strangers = 8
)

// guest is an accepted connection.
type guest struct {
	conn    net.Conn
	answers chan []byte
	known   bool           // it has said which node dials
	from    distributed.ID // the node that dials, if known
}

// guests are the open connections, the oldest first.
type guests struct {
	mu  sync.Mutex
	all []*guest
}

// welcome adds g, and returns the guest that must leave for it, or nil.
func (s *guests) welcome(g *guest, ctx context.Context) (out *guest) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = append(s.all, g)
	if ctx.Err() != nil {
		g.conn.Close()
		return nil
	}
	return s.limit(waiting, func(other *guest) bool { return !other.known })
}

// introduce notes which node dials.
func (s *guests) introduce(g *guest, from distributed.ID, nodes int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	g.known, g.from = true, from
	if int(from) < nodes {
		s.limit(each, func(other *guest) bool { return other.known && other.from == from })
	} else {
		s.limit(strangers, func(other *guest) bool { return other.known && int(other.from) >= nodes })
	}
}

// limit closes the oldest of the guests for which of is true, if there are more
// than most.
func (s *guests) limit(most int, of func(*guest) bool) *guest {
	var oldest *guest
	n := 0
	for _, g := range s.all {
		if of(g) {
			if n++; oldest == nil {
				oldest = g
			}
		}
	}
	if n <= most {
		return nil
	}
	oldest.conn.Close()
	s.all = slices.DeleteFunc(s.all, func(g *guest) bool { return g == oldest })
	return oldest
}

func (s *guests) leave(g *guest) {
	g.conn.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = slices.DeleteFunc(s.all, func(other *guest) bool { return other == g })
}

func (s *guests) closeAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, g := range s.all {
		g.conn.Close()
	}
}

// hello is the beginning of a connection. The run and the number of the dialing
// node follow it.
const hello = "dmebench\x02"

const preambleLength = len(hello) + len(wire.Run{}) + 4

func preamble(run wire.Run, me distributed.ID) []byte {
	return binary.BigEndian.AppendUint32(append([]byte(hello), run[:]...), uint32(me))
}

var (
	errStranger = errors.New("a stranger: no node begins so")
	errRun      = errors.New("a stranger: it does not know the name of the run")
)

// host handles frames from an unknown connection until the connection ends.
func (c *Carrier) host(g *guest) error {
	g.conn.SetReadDeadline(time.Now().Add(patience))
	r := bufio.NewReader(g.conn)
	head := make([]byte, preambleLength)
	if n, err := io.ReadFull(r, head); err != nil || string(head[:len(hello)]) != hello {
		if n == 0 && errors.Is(err, io.EOF) {
			return nil // a port scan, or a health check
		}
		return errStranger
	}
	run := head[len(hello) : preambleLength-4]
	if subtle.ConstantTimeCompare(run, c.run[:]) == 0 {
		return errRun
	}
	number := binary.BigEndian.Uint32(head[preambleLength-4:])
	if number >= wire.MaxNodes {
		return fmt.Errorf("a connection of node %d: there are at most %d nodes", number, wire.MaxNodes)
	}
	from := distributed.ID(number)
	c.in.introduce(g, from, len(c.out))
	over := make(chan struct{})
	defer close(over)
	c.wg.Go(func() { g.speak(over) })
	_, err := c.frames(g.conn, r, from, idle, func(frame []byte) { put(g.answers, frame) })
	return err
}

// speak writes answers until the guest has gone.
func (g *guest) speak(over <-chan struct{}) {
	for {
		select {
		case f := <-g.answers:
			g.conn.SetWriteDeadline(time.Now().Add(patience))
			if writeFrame(g.conn, f) != nil {
				g.conn.Close()
				return
			}
		case <-over:
			return
		}
	}
}

// writeFrame writes the length of a frame and then the frame.
func writeFrame(w io.Writer, f []byte) error {
	_, err := w.Write(append(binary.BigEndian.AppendUint32(nil, uint32(len(f))), f...))
	return err
}

// frames handles frames of node from until the connection ends, or is silent for
// longer than silence; 0 means no limit. It returns the number of frames.
func (c *Carrier) frames(conn net.Conn, r io.Reader, from distributed.ID, silence time.Duration, answer func([]byte)) (n int, err error) {
	conn.SetReadDeadline(time.Time{})
	var frame []byte
	for {
		if silence > 0 {
			conn.SetReadDeadline(time.Now().Add(silence))
		}
		var size [4]byte
		if _, err := io.ReadFull(r, size[:]); err != nil {
			return n, nil // it has ended
		}
		length := binary.BigEndian.Uint32(size[:])
		if length > wire.MaxFrame {
			return n, fmt.Errorf("a frame of %d bytes: at most %d", length, wire.MaxFrame)
		}
		if uint32(cap(frame)) < length {
			frame = make([]byte, length)
		}
		if _, err := io.ReadFull(r, frame[:length]); err != nil {
			return n, nil
		}
		c.receive(from, frame[:length], answer)
		n++
	}
}
