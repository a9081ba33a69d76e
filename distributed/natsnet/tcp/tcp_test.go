package tcp

import (
	"encoding/binary"
	"io"
	"net"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
	"shmbench/distributed/natsnet/internal/carriertest"
	"shmbench/distributed/natsnet/wire"
)

func carriers(t *testing.T, log func(error)) []carriertest.Parter {
	var listeners []net.Listener
	var addresses []string
	for range carriertest.Nodes {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		listeners, addresses = append(listeners, l), append(addresses, l.Addr().String())
	}
	var all []carriertest.Parter
	for i, l := range listeners {
		all = append(all, New(distributed.ID(i), l, addresses, log))
	}
	return all
}

func TestInOrderOnce(t *testing.T) {
	carriertest.Test(t, wire.NewRun(), carriers(t, nil), 3000, nil)
}

// Connections that break again and again lose nothing.
func TestBroken(t *testing.T) {
	all := carriers(t, nil)
	links := carriertest.Test(t, wire.NewRun(), all, 3000, func() {
		for range 5 {
			for _, c := range all {
				for _, o := range c.(*Carrier).out {
					if o != nil {
						o.hangUp()
					}
				}
			}
		}
		carriertest.Partition(t, all)
	})
	require.Positive(t, links[0].Counts().Resent+links[1].Counts().Resent+links[2].Counts().Resent)
}

// Whoever dials and is no node is sent away.
func TestStrangers(t *testing.T) {
	var mu sync.Mutex
	var told []string
	all := carriers(t, func(err error) {
		mu.Lock()
		defer mu.Unlock()
		told = append(told, err.Error())
	})
	carriertest.Test(t, wire.NewRun(), all, 10, func() {
		address := all[0].(*Carrier).listener.Addr().String()
		number := func(n uint32) string { return string(binary.BigEndian.AppendUint32(nil, n)) }
		for _, says := range []string{
			"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", // no hello
			hello + number(7), // no such node
			hello + number(1) + number(wire.MaxFrame+1), // too long a frame
		} {
			conn, err := net.Dial("tcp", address)
			require.NoError(t, err)
			io.WriteString(conn, says)
			_, err = io.ReadAll(conn) // until it is closed
			_ = err                   // by a reset or not
			conn.Close()
		}
	})
	mu.Lock()
	defer mu.Unlock()
	text := strings.Join(told, "\n")
	require.Contains(t, text, "a stranger: no frame of ours begins so")
	require.Contains(t, text, "a connection of node 7, which is not expected")
	require.Contains(t, text, "a frame of 262145 bytes: at most 262144")
}
