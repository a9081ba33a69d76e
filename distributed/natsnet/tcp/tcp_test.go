package tcp

import (
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
	"shmbench/distributed/natsnet/internal/carriertest"
	"shmbench/distributed/natsnet/link"
	"shmbench/distributed/natsnet/wire"
)

func carriers(t *testing.T, run wire.Run, log func(error)) []*link.Cut {
	var listeners []net.Listener
	var addresses []string
	for range carriertest.Nodes {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		listeners, addresses = append(listeners, l), append(addresses, l.Addr().String())
	}
	var all []*link.Cut
	for i, l := range listeners {
		all = append(all, &link.Cut{Carrier: New(run, distributed.ID(i), l, addresses, log)})
	}
	return all
}

func TestInOrderOnce(t *testing.T) {
	run := wire.NewRun()
	carriertest.Test(t, run, carriers(t, run, nil), 3000, nil)
}

// Connections that break again and again lose nothing.
func TestBroken(t *testing.T) {
	run := wire.NewRun()
	all := carriers(t, run, nil)
	links := carriertest.Test(t, run, all, 3000, func() {
		for range 5 {
			for _, c := range all {
				for _, o := range c.Carrier.(*Carrier).out {
					if o == nil {
						continue
					}
					o.mu.Lock()
					if o.conn != nil {
						o.conn.Close()
					}
					o.mu.Unlock()
				}
			}
		}
		carriertest.Partition(all)
	})
	require.Positive(t, links[0].Counts().Resent+links[1].Counts().Resent+links[2].Counts().Resent)
}

// logged keeps what is logged.
type logged struct {
	mu  sync.Mutex
	all []string
}

func (l *logged) log(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, err.Error())
}

func (l *logged) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Join(l.all, "\n")
}

func number(n uint32) string { return string(binary.BigEndian.AppendUint32(nil, n)) }

// A client that dials and is no node is sent away, and that is logged and counted.
func TestStrangers(t *testing.T) {
	var told logged
	run, other := wire.NewRun(), wire.NewRun()
	all := carriers(t, run, told.log)
	carriertest.Test(t, run, all, 10, func() {
		address := all[0].Carrier.(*Carrier).listener.Addr().String()
		for _, says := range []string{
			"GET / HTTP/1.1\r\nHost: localhost\r\nUser-Agent: a browser\r\n\r\n", // no hello
			"dmebench\x01" + string(run[:]) + number(1),                          // of an earlier version
			hello + string(other[:]) + number(1) + number(1) + "x",               // another run
			hello + string(run[:]) + number(wire.MaxNodes),                       // no node
			hello + string(run[:]) + number(1) + number(wire.MaxFrame+1),         // too long a frame
		} {
			conn, err := net.Dial("tcp", address)
			require.NoError(t, err)
			io.WriteString(conn, says)
			_, err = io.ReadAll(conn) // until it is closed
			_ = err                   // by a reset or not
			conn.Close()
		}
		scan, err := net.Dial("tcp", address) // and says nothing
		require.NoError(t, err)
		require.NoError(t, scan.Close())
	})
	text := told.text()
	require.Equal(t, 2, strings.Count(text, "a stranger: no node begins so"))
	require.Contains(t, text, "a stranger: it does not know the name of the run")
	require.Contains(t, text, "a connection of node 1024: there are at most 1024 nodes")
	require.Contains(t, text, "a frame of 262145 bytes: at most 262144")
	require.Equal(t, int64(5), all[0].Carrier.(*Carrier).Strangers())
}

// Strangers who hold connections open keep no node out, whether they say nothing, a
// part of a preamble, or more than that without the run's name.
func TestStrangersKeepNobodyOut(t *testing.T) {
	run, other := wire.NewRun(), wire.NewRun()
	var told logged
	all := carriers(t, run, told.log)
	first := all[0].Carrier.(*Carrier)
	var links []*link.Link
	meet := func(i int) *link.Link {
		l := link.New(all[i], link.Options{Run: run, Me: distributed.ID(i), Nodes: carriertest.Nodes, Threads: 1})
		require.NoError(t, l.Meet())
		links = append(links, l)
		return l
	}
	l := meet(0)
	stop, held := make(chan struct{}), make(chan struct{}, 1000)
	var wg sync.WaitGroup
	for k := range 3 * waiting {
		wg.Go(func() {
			says := []string{"", "dmebench", hello + string(other[:]) + number(1) + number(3) + "x"}[k%3]
			for {
				conn, err := net.Dial("tcp", first.listener.Addr().String())
				if err == nil {
					io.WriteString(conn, says)
					held <- struct{}{}
					conn.SetReadDeadline(time.Now().Add(carriertest.Long))
					io.ReadAll(conn) // until it is sent away
					conn.Close()
				}
				select {
				case <-stop:
					return
				case <-time.After(50 * time.Millisecond):
				}
			}
		})
	}
	for range 3 * waiting {
		<-held
	}
	meet(1)
	meet(2)
	select {
	case <-l.Met():
	case <-time.After(carriertest.Long):
		t.Error("strangers keep node 0 from meeting the others")
	}
	close(stop)
	for _, l := range links {
		require.NoError(t, l.Close())
	}
	wg.Wait()
	require.Contains(t, told.text(), "sent away: more than 64 connections wait to say who they are")
}

// A node says so when what it dials is no node of its run.
func TestDialsAnother(t *testing.T) {
	run := wire.NewRun()
	for _, other := range []struct {
		does func(conn net.Conn)
		says string
	}{
		{func(conn net.Conn) { io.ReadFull(conn, make([]byte, preambleLength)) }, "node 1, at %s, hangs up: it may be of another run (-run), or no node"},
		{func(conn net.Conn) { io.WriteString(conn, "HTTP/1.1 400 Bad Request\r\n\r\n") }, "no node answers at %s, the address of node 1: a frame of 1213486160 bytes: at most 262144"},
	} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		go func() {
			for {
				conn, err := l.Accept()
				if err != nil {
					return
				}
				other.does(conn)
				conn.Close()
			}
		}()
		mine, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		var told logged
		c := New(run, 0, mine, []string{"", l.Addr().String()}, told.log)
		require.NoError(t, c.Start(func(distributed.ID, []byte, func([]byte)) {}))
		for end := time.Now().Add(carriertest.Long); told.text() == "" && time.Now().Before(end); time.Sleep(time.Millisecond) {
		}
		time.Sleep(100 * time.Millisecond) // it dials again
		require.NoError(t, c.Close())
		require.NoError(t, l.Close())
		require.Equal(t, fmt.Sprintf(other.says, l.Addr()), told.text(), "once")
	}
}

// The last frame before Close goes out: it says that the node ends.
func TestLastFrame(t *testing.T) {
	run := wire.NewRun()
	for range 50 {
		all := carriers(t, run, nil)
		came := make(chan string, 10)
		require.NoError(t, all[1].Start(func(_ distributed.ID, frame []byte, _ func([]byte)) { came <- string(frame) }))
		require.NoError(t, all[0].Start(func(distributed.ID, []byte, func([]byte)) {}))
		all[0].Send(1, []byte("first"))
		require.Equal(t, "first", <-came) // the connection is up
		all[0].Send(1, []byte("last"))
		require.NoError(t, all[0].Close())
		select {
		case frame := <-came:
			require.Equal(t, "last", frame)
		case <-time.After(10 * time.Second):
			t.Fatal("the last frame is lost")
		}
		require.NoError(t, all[1].Close())
		require.NoError(t, all[2].Close())
	}
}
