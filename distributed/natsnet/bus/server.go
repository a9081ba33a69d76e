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

// A Server is how a NATS server or cluster is reached.
type Server struct {
	URL         string // or several, separated by commas
	Credentials string // a file; "": none
	CA          string // a file of certificates that the server's must be signed by; "": the system's
	Cert, Key   string // files of this client's certificate and key; "": none
}

// The pauses between two attempts to connect again grow from soonest to latest.
const (
	soonest = 50 * time.Millisecond
	latest  = 2 * time.Second
)

// pause is how long to wait before attempt k to connect to all servers again.
func pause(k int) time.Duration {
	d := min(soonest<<min(k, 10), latest)
	return d/2 + rand.N(d/2) // so that not all nodes come at once
}

// A Conn is a connection to a NATS server.
type Conn struct {
	*nats.Conn
	broke atomic.Int64 // when, in ns; 0: the connection stands
}

// Down returns for how long there has been no connection; 0: it stands.
func (c *Conn) Down() time.Duration {
	if broke := c.broke.Load(); broke != 0 {
		return time.Duration(time.Now().UnixNano() - broke)
	}
	return 0
}

// Connect connects to s, and connects again with ever longer pauses as long as the connection
// is not closed. It calls log with what goes wrong with the connection, without credentials.
// The messages that are published while there is no connection are lost; package link sends
// them again.
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
