package bus

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"regexp"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
)

// A Server says how to reach a NATS server or cluster.
type Server struct {
	URL         string // one URL, or several separated by commas
	Credentials string // path of a credentials file; "": no credentials
	CA          string // path of the certificates that must have signed the server's; "": those of the system
	Cert, Key   string // paths of this client's certificate and key; "": none
}

// The pauses between two attempts to reconnect grow from soonest to latest.
const (
	soonest = 50 * time.Millisecond
	latest  = 2 * time.Second
)

// pause returns how long to wait before attempt k to reconnect to all servers.
func pause(k int) time.Duration {
	d := min(soonest<<min(k, 10), latest)
	return d/2 + rand.N(d/2) // so that not all nodes come at once
}

// A Conn is a connection to a NATS server.
type Conn struct {
	*nats.Conn
	broke atomic.Int64 // time of the failure in ns; 0: the connection is up
}

// Down returns how long there has been no connection, or 0 while there is one.
func (c *Conn) Down() time.Duration {
	if broke := c.broke.Load(); broke != 0 {
		return time.Duration(time.Now().UnixNano() - broke)
	}
	return 0
}

// Connect connects to s. It reconnects with ever longer pauses until the connection is
// closed. It passes errors of the connection to log, without credentials. Messages that are
// published while there is no connection are lost; package link sends them again. Connect
// returns an error if the first connection fails.
func (s Server) Connect(name string, log func(error)) (*Conn, error) {
	conn := new(Conn)
	o := []nats.Option{
		nats.Name(name), nats.Timeout(10 * time.Second), nats.MaxReconnects(-1), nats.CustomReconnectDelay(pause),
		nats.IgnoreAuthErrorAbort(), nats.ReconnectBufSize(-1),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if conn.broke.CompareAndSwap(0, time.Now().UnixNano()) && err != nil {
				log(fmt.Errorf("the connection %q to the NATS server broke: %w", name, Plain(err)))
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) {
			since := time.Duration(time.Now().UnixNano() - conn.broke.Swap(0))
			log(fmt.Errorf("the connection %q to the NATS server stands again, after %v; what was under way meanwhile is lost, and is sent again", name, since.Round(time.Millisecond)))
		}),
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
	var err error
	if conn.Conn, err = nats.Connect(s.URL, o...); err != nil {
		return nil, fmt.Errorf("the NATS server at %s: %w", Hide(s.URL), Plain(err))
	}
	return conn, nil
}

var secrets = regexp.MustCompile(`//[^/\s,]*@`)

// Hide returns urls without the credentials in them.
func Hide(urls string) string { return secrets.ReplaceAllString(urls, "//") }

// Plain returns err without credentials that a URL in its text may contain.
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
