// Package bus carries frames between processes over NATS core, which delivers at
// most once and drops what a slow consumer does not take: package link repairs it.
//
// A frame from node i to node j of a run is published under dmebench.RUN.j.i.
package bus

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"

	"shmbench/distributed"
	"shmbench/distributed/natsnet/wire"
)

// pending is how many frames of one node may wait for this one: more are dropped.
const pending = 1024

// A Server is how a NATS server or cluster is reached.
type Server struct {
	URL         string // or several, separated by commas
	Credentials string // a file; "": none
	CA          string // a file of certificates that the server's must be signed by; "": the system's
	Cert, Key   string // files of this client's certificate and key; "": none
}

// Connect connects to s, again and again as long as the connection is not closed.
// log is told what goes wrong with it, without credentials.
func (s Server) Connect(name string, log func(error)) (*nats.Conn, error) {
	o := []nats.Option{
		nats.Name(name), nats.Timeout(10 * time.Second), nats.MaxReconnects(-1), nats.ReconnectWait(50 * time.Millisecond), nats.ReconnectJitter(20*time.Millisecond, 50*time.Millisecond),
		nats.ReconnectBufSize(-1), // link sends again what was lost
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				log(fmt.Errorf("the connection to the NATS server broke: %w", Plain(err)))
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) { log(errors.New("the connection to the NATS server stands again")) }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { log(Plain(err)) }),
	}
	if s.Credentials != "" {
		o = append(o, nats.UserCredentials(s.Credentials))
	}
	if s.CA != "" {
		o = append(o, nats.RootCAs(s.CA))
	}
	if s.Cert != "" || s.Key != "" {
		o = append(o, nats.ClientCert(s.Cert, s.Key))
	}
	c, err := nats.Connect(s.URL, o...)
	if err != nil {
		return nil, fmt.Errorf("the NATS server at %s: %w", Hide(s.URL), Plain(err))
	}
	return c, nil
}

var secrets = regexp.MustCompile(`//[^/\s,]*@`)

// Hide returns urls without the credentials in them.
func Hide(urls string) string { return secrets.ReplaceAllString(urls, "//") }

// Plain returns err without the credentials that a URL in its text may hold.
func Plain(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err // its text quotes the URL
	}
	if text := err.Error(); Hide(text) != text {
		return errors.New(Hide(text))
	}
	return err
}

// A Carrier is node Me's part in a run over NATS.
type Carrier struct {
	conn  *nats.Conn
	run   wire.Run
	me    distributed.ID
	nodes int

	mu      sync.Mutex
	from    []*nats.Subscription // by node; nil: there is none
	receive func([]byte)
	apart   atomic.Pointer[[]bool]
}

// New makes the carrier of node me among n nodes over conn, which it owns.
func New(conn *nats.Conn, run wire.Run, me distributed.ID, n int) *Carrier {
	c := &Carrier{conn: conn, run: run, me: me, nodes: n, from: make([]*nats.Subscription, n)}
	c.apart.Store(new(make([]bool, n)))
	return c
}

// Subject is what the frames of node from to node to are published on.
func Subject(run wire.Run, to, from distributed.ID) string {
	return fmt.Sprintf("dmebench.%v.%d.%d", run, to, from)
}

// Start implements link.Carrier.
func (c *Carrier) Start(receive func(frame []byte)) error {
	c.receive = receive
	if err := c.subscribe(); err != nil {
		return err
	}
	return c.conn.FlushTimeout(10 * time.Second)
}

// subscribe makes the subscriptions be those to whom this node is not cut off.
func (c *Carrier) subscribe() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range c.from {
		parted := distributed.ID(i) == c.me || (*c.apart.Load())[i]
		switch {
		case parted && c.from[i] != nil:
			c.from[i].Unsubscribe()
			c.from[i] = nil
		case !parted && c.from[i] == nil:
			s, err := c.conn.Subscribe(Subject(c.run, c.me, distributed.ID(i)), func(m *nats.Msg) { c.receive(m.Data) })
			if err != nil {
				return err
			}
			if err := s.SetPendingLimits(pending, pending*wire.MaxFrame/16); err != nil {
				return err
			}
			c.from[i] = s
		}
	}
	return nil
}

// Send implements link.Carrier.
func (c *Carrier) Send(to distributed.ID, frame []byte) {
	if !(*c.apart.Load())[to] {
		c.conn.Publish(Subject(c.run, to, c.me), frame) // an error is a loss, which link repairs
	}
}

// Part cuts this node off those that apart names, and joins it to all others
// again: their subjects are not heard and not published to.
func (c *Carrier) Part(apart []bool) error {
	c.apart.Store(&apart)
	return c.subscribe()
}

// Dropped returns how many frames NATS dropped because this node took them too
// slowly.
func (c *Carrier) Dropped() (n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range c.from {
		if s != nil {
			d, _ := s.Dropped()
			n += d
		}
	}
	return n
}

// Close implements link.Carrier.
func (c *Carrier) Close() error {
	c.conn.Close()
	return nil
}
