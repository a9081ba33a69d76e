package bus

import (
	"errors"
	"net/url"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
	"shmbench/distributed/natsnet/internal/carriertest"
	"shmbench/distributed/natsnet/link"
	"shmbench/distributed/natsnet/server"
	"shmbench/distributed/natsnet/wire"
)

func carriers(t *testing.T, run wire.Run) (*server.Server, []*link.Cut) {
	s, err := server.Start(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(s.Stop)
	var all []*link.Cut
	for i := range carriertest.Nodes {
		conn, err := Server{URL: s.URL()}.Connect("test", func(error) {})
		require.NoError(t, err)
		all = append(all, &link.Cut{Carrier: New(conn, run, distributed.ID(i), carriertest.Nodes)})
	}
	return s, all
}

func TestInOrderOnce(t *testing.T) {
	run := wire.NewRun()
	_, all := carriers(t, run)
	carriertest.Test(t, run, all, 3000, nil)
}

// A server that restarts, and a partition, lose nothing.
func TestBroken(t *testing.T) {
	run := wire.NewRun()
	s, all := carriers(t, run)
	carriertest.Test(t, run, all, 3000, func() {
		require.NoError(t, s.Restart())
		carriertest.Partition(all)
	})
}

// What NATS drops because a node takes too slowly comes all the same.
func TestSlowConsumer(t *testing.T) {
	run := wire.NewRun()
	_, all := carriers(t, run)
	const many = 4 * pending
	slow := all[0].Carrier.(*Carrier)
	came, failed := make(chan struct{}), make(chan error, 2)
	var taken atomic.Int64
	open := make(chan struct{}) // node 0 takes nothing before
	receiver := link.New(slow, link.Options{Run: run, Me: 0, Nodes: carriertest.Nodes, Threads: 1})
	require.NoError(t, receiver.Meet())
	require.NoError(t, receiver.Start(func(p distributed.Parcel) {
		<-open
		if p.Message.Stamp != taken.Load() {
			t.Errorf("%d came, and %d was next", p.Message.Stamp, taken.Load())
		}
		if taken.Add(1) == many {
			close(came)
		}
	}, func(err error) { failed <- err }))
	// The link's window would spare it: so another connection floods it, too.
	sender := link.New(all[1], link.Options{Run: run, Me: 1, Nodes: carriertest.Nodes, Threads: 1, Resend: 50 * time.Millisecond})
	require.NoError(t, sender.Meet())
	require.NoError(t, sender.Start(func(distributed.Parcel) {}, func(err error) { failed <- err }))
	for k := range int64(many) {
		sender.Send(distributed.Parcel{Message: distributed.Message{Kind: distributed.Request, From: 1, To: 0, Who: 1, Stamp: k}})
	}
	flood := all[1].Carrier.(*Carrier)
	for slow.Dropped() == 0 {
		flood.Send(0, []byte("what is this?"))
	}
	close(open)
	carriertest.Wait(t, came, failed)
	require.NoError(t, sender.Close())
	require.NoError(t, receiver.Close())
}

// Frames of others that reach the subject are dropped and counted.
func TestForeign(t *testing.T) {
	run := wire.NewRun()
	s, all := carriers(t, run)
	links := carriertest.Test(t, run, all, 10, func() {
		conn, err := Server{URL: s.URL()}.Connect("stranger", func(error) {})
		require.NoError(t, err)
		defer conn.Close()
		require.NoError(t, conn.Publish(Subject(run, 0, 1), make([]byte, wire.MaxFrame+1)))
		require.NoError(t, conn.Publish(Subject(run, 0, 1), []byte("{}")))
		require.NoError(t, conn.Flush())
	})
	for links[0].Counts().Foreign != 1 || links[0].Counts().Oversized != 1 {
		time.Sleep(time.Millisecond)
	}
}

// What is logged has no credentials in it.
func TestCredentialsAreHidden(t *testing.T) {
	require.Equal(t, "nats://one:4222,tls://two", Hide("nats://alice:s3@ret@one:4222,tls://t0ken@two"))
	require.EqualError(t, Plain(errors.New("dial nats://alice:s3cret@one: no")), "dial nats://one: no")
	require.EqualError(t, Plain(&url.Error{Op: "parse", URL: "nats://alice:s3cret@[", Err: errors.New("missing bracket")}), "missing bracket")
	_, err := Server{URL: "nats://alice:s3cret@127.0.0.1:1"}.Connect("test", func(error) {})
	require.ErrorContains(t, err, "the NATS server at nats://127.0.0.1:1: ")
	require.NotContains(t, err.Error(), "s3cret")
	_, err = Server{URL: "nats://alice:s3cret@[:4222"}.Connect("test", func(error) {})
	require.Error(t, err)
	require.NotContains(t, err.Error(), "s3cret")
}
