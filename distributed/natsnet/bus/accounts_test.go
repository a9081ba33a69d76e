package bus

import (
	"fmt"
	"net"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/stretchr/testify/require"

	"shmbench/distributed"
	"shmbench/distributed/natsnet/internal/carriertest"
	"shmbench/distributed/natsnet/link"
	"shmbench/distributed/natsnet/wire"
)

// guarded starts a server with the configuration of the documentation, and returns how
// node i reaches it.
func guarded(t *testing.T) func(i int) Server {
	for i := range carriertest.Nodes {
		t.Setenv(fmt.Sprint("NODE", i), fmt.Sprint("secret", i))
	}
	o, err := server.ProcessConfigFile("../example/nats.conf")
	require.NoError(t, err)
	o.Host, o.Port, o.NoSigs, o.NoLog = "127.0.0.1", server.RANDOM_PORT, true, true
	s, err := server.NewServer(o)
	require.NoError(t, err)
	s.Start()
	t.Cleanup(s.Shutdown)
	require.True(t, s.ReadyForConnections(time.Minute))
	return func(i int) Server {
		return Server{URL: fmt.Sprintf("nats://node%d:secret%d@127.0.0.1:%d", i, i, s.Addr().(*net.TCPAddr).Port)}
	}
}

// The nodes meet and talk with the rights that the configuration gives them.
func TestAccounts(t *testing.T) {
	at, run := guarded(t), wire.NewRun()
	var all []*link.Cut
	for i := range carriertest.Nodes {
		conn, err := at(i).Connect("test", func(err error) { t.Error(err) })
		require.NoError(t, err)
		all = append(all, &link.Cut{Carrier: New(conn, run, distributed.ID(i), carriertest.Nodes)})
	}
	for _, l := range carriertest.Test(t, run, all, 300, nil) {
		select {
		case <-l.Met():
		case <-time.After(carriertest.Long):
			t.Fatal("the nodes do not meet")
		}
		c := l.Counts()
		require.Equal(t, link.Counts{Resent: c.Resent, Doubled: c.Doubled, Gaps: c.Gaps, Forgotten: c.Forgotten}, c, "it drops no frame")
	}
	// A client without a password is not let in.
	_, err := Server{URL: at(0).URL[:len("nats://node0:")] + "guessed" + at(0).URL[len("nats://node0:secret0"):]}.Connect("stranger", func(error) {})
	require.ErrorContains(t, err, "Authorization Violation")
}

// The server refuses a node that forges another's message, and a node that listens to
// what is for others. A frame in another's name on its own subject is dropped.
func TestForged(t *testing.T) {
	at, run := guarded(t), wire.NewRun()
	said := make(chan error, 10)
	forger, err := at(1).Connect("forger", func(err error) { said <- err })
	require.NoError(t, err)
	t.Cleanup(forger.Close)
	conn, err := at(2).Connect("test", func(error) {})
	require.NoError(t, err)
	victim := link.New(New(conn, run, 2, carriertest.Nodes), link.Options{Run: run, Me: 2, Nodes: carriertest.Nodes, Threads: 1})
	require.NoError(t, victim.Meet())
	t.Cleanup(func() { require.NoError(t, victim.Close()) })

	forged := (&wire.Frame{Version: wire.Version, Kind: wire.Hello, Run: run, From: 0, To: 2, Process: 7, Reply: true}).Append(nil)
	for _, subject := range []string{Subject(run, 2, 0), greeting(run, "0")} {
		require.NoError(t, forger.Publish(subject, forged))
		require.ErrorIs(t, <-said, nats.ErrPermissionViolation)
	}
	for _, subject := range []string{Subject(run, 2, 0), Subject(run, 2, 1), "dmebench.>"} {
		_, err := forger.SubscribeSync(subject)
		require.NoError(t, err)
		require.ErrorIs(t, <-said, nats.ErrPermissionViolation)
	}
	require.NoError(t, forger.Publish(Subject(run, 2, 1), forged)) // in its own name
	for end := time.Now().Add(carriertest.Long); victim.Counts().Misaddressed == 0; time.Sleep(time.Millisecond) {
		require.True(t, time.Now().Before(end))
	}
	require.Equal(t, link.Counts{Misaddressed: 1}, victim.Counts())
	require.False(t, victim.Peers()[0].Met)
}
