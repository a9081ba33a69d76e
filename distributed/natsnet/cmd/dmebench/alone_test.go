//go:build unix

package main

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/distributed/natsnet/history"
	"shmbench/distributed/natsnet/wire"
	"shmbench/internal/cli"
	"shmbench/internal/run/filelock"
)

// team are nodes without a parent, over TCP.
type team struct {
	t     *testing.T
	ctx   context.Context
	run   string
	dir   string
	peers []string
}

func newTeam(t *testing.T, nodes int) *team {
	ctx, cancel := context.WithTimeout(t.Context(), long)
	t.Cleanup(cancel)
	m := &team{t: t, ctx: ctx, run: wire.NewRun().String(), dir: t.TempDir()}
	var all []net.Listener
	for range nodes { // addresses that are free, one by one
		l, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		all, m.peers = append(all, l), append(m.peers, l.Addr().String())
	}
	for _, l := range all {
		require.NoError(t, l.Close())
	}
	return m
}

func (m *team) history(i int) string { return filepath.Join(m.dir, fmt.Sprint("history", i)) }

// solo is one of them.
type solo struct {
	*exec.Cmd
	t         *testing.T
	out, errs output
	ended     chan struct{}
}

// output is what a process has printed so far.
type output struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.String()
}

// start starts node i with further flags.
func (m *team) start(i int, flags ...string) *solo {
	program, err := os.Executable()
	require.NoError(m.t, err)
	args := []string{
		"node", "-id", fmt.Sprint(i), "-of", fmt.Sprint(len(m.peers)), "-run", m.run, "-cs", "0", "-listen", m.peers[i], "-peers", strings.Join(m.peers, ","),
		"-history", m.history(i), "-resource", filepath.Join(m.dir, "resource"),
	}
	s := &solo{Cmd: exec.CommandContext(m.ctx, program, append(args, flags...)...), t: m.t, ended: make(chan struct{})}
	s.Stdout, s.Stderr = &s.out, &s.errs
	require.NoError(m.t, s.Start())
	go func() {
		s.Wait()
		close(s.ended)
	}()
	m.t.Cleanup(func() { s.Process.Kill(); <-s.ended })
	return s
}

// says waits until the process has printed text as a diagnostic.
func (s *solo) says(text string) {
	s.t.Helper()
	for end := time.Now().Add(long); !strings.Contains(s.errs.String(), text); time.Sleep(time.Millisecond) {
		select {
		case <-s.ended:
			if !strings.Contains(s.errs.String(), text) {
				s.t.Fatalf("it ended, and did not say %q:\n%s", text, &s.errs)
			}
		default:
		}
		if time.Now().After(end) {
			s.t.Fatalf("it does not say %q:\n%s", text, &s.errs)
		}
	}
}

// ends waits until the process has ended with the given status.
func (s *solo) ends(status int) {
	s.t.Helper()
	<-s.ended
	require.Equal(s.t, status, s.ProcessState.ExitCode(), "%s%s", &s.out, &s.errs)
}

// never is a load that makes practically no request, and never ends.
const never = "1e-6"

// After a node was killed, the others name the nodes that they wait for, end, and keep
// their histories, also when their own load is over.
func TestSurvivorsEnd(t *testing.T) {
	for _, rate := range []string{"max", never} { // of the others
		t.Run(rate, func(t *testing.T) {
			t.Parallel() // most of it is waiting
			m := newTeam(t, 3)
			flags := []string{"-alg", "ricart-agrawala", "-patience", "15s", "-entries", "30"}
			if rate == never { // they wait to enter
				flags[5] = "1000000"
			}
			one, two := m.start(0, flags...), m.start(1, flags...)
			three := m.start(2, append(flags, "-rate", never)...)
			one.says("all 3 nodes have met")
			two.says("all 3 nodes have met")
			three.says("all 3 nodes have met")
			least := 1
			if rate == "max" { // until their load is over
				least = 30
			}
			for end := time.Now().Add(long); entries(t, m.history(0))+entries(t, m.history(1)) < least && time.Now().Before(end); {
				time.Sleep(10 * time.Millisecond)
			}
			require.NoError(t, three.Process.Kill())
			for _, s := range []*solo{one, two} {
				s.says("waits for node 2: it has been silent for")
				s.ends(cli.Undecided)
				require.Contains(t, s.errs.String(), "gave up after 15s (-patience)")
				require.Contains(t, s.out.String(), " entries, ")
			}
			require.NotZero(t, entries(t, m.history(0))+entries(t, m.history(1)))
		})
	}
}

// entries returns how many entries a history has.
func entries(t *testing.T, name string) (n int) {
	h, err := history.ReadFile(name)
	require.NoError(t, err)
	for _, e := range h.Entries {
		if e.Left != 0 {
			n++
		}
	}
	return n
}

// A node that is terminated says so to the others, which end when there is nothing
// left to do, and soon.
func TestTerminated(t *testing.T) {
	t.Parallel()
	m := newTeam(t, 3)
	flags := []string{"-alg", "raymond", "-patience", "0", "-entries", "30"}
	one, two, three := m.start(0, flags...), m.start(1, flags...), m.start(2, append(flags, "-rate", never)...)
	for _, s := range []*solo{one, two, three} {
		s.says("all 3 nodes have met")
	}
	for entries(t, m.history(0))+entries(t, m.history(1)) < 30 {
		time.Sleep(10 * time.Millisecond)
	}
	require.NoError(t, three.Process.Signal(syscall.SIGTERM))
	three.ends(cli.Undecided)
	require.Contains(t, three.errs.String(), "interrupted after")
	for _, s := range []*solo{one, two} {
		s.ends(cli.Undecided)
		require.Contains(t, s.errs.String(), "node 2 left before its load was over")
	}
}

// Nodes wait for one that is missing and say so. When it comes late they begin.
func TestMissingAndLate(t *testing.T) {
	t.Parallel()
	m := newTeam(t, 3)
	one := m.start(0, "-patience", "4s")
	one.says("waits for node 2: it has not been met")
	one.ends(cli.Undecided)
	require.Contains(t, one.errs.String(), "no progress for 2s, and ends after 4s (-patience): waits to meet all nodes")

	var all []*solo
	for i := range 3 {
		all = append(all, m.start(i, "-entries", "30", "-patience", "0"))
		time.Sleep(time.Second)
	}
	for _, s := range all {
		s.ends(cli.Holds)
	}
	out, errs, status := dmebench(t.Context(), "judge", m.history(0), m.history(1), m.history(2))
	require.Zero(t, status, errs)
	require.Contains(t, out, ": holds: each thread read from the resource what the one before had written")
}

// A node that was started otherwise is told apart, and no other one ends of it.
func TestDifferentFlags(t *testing.T) {
	t.Parallel()
	m := newTeam(t, 3)
	one, two := m.start(0, "-entries", "30"), m.start(1, "-entries", "30")
	for _, c := range []struct{ flags, says string }{
		{"-entries 30 -alg suzuki-kasami", "-alg: suzuki-kasami here, raymond there"},
		{"-entries 30 -threads 2", "-threads: 2 here, 1 there"},
		{"-entries 31", "-entries: 31 here, 30 there"},
	} {
		other := m.start(2, strings.Fields(c.flags)...)
		other.ends(cli.Usage)
		require.Contains(t, other.errs.String(), "no other node was started like this one; node ")
		require.Contains(t, other.errs.String(), c.says)
		require.NoError(t, os.Remove(m.history(2)))
	}
	m.start(2, "-entries", "30").ends(cli.Holds)
	for _, s := range []*solo{one, two} {
		s.ends(cli.Holds)
		require.Equal(t, 3, strings.Count(s.errs.String(), "node 2 was started otherwise, and is not taken in: "), &s.errs)
	}
}

// A second process of a node is refused while the first one lives, and no node ends
// of it but the second.
func TestTwoNodesWithOneNumber(t *testing.T) {
	t.Parallel()
	m := newTeam(t, 2)
	flags := []string{"-entries", "1000000", "-rate", never, "-patience", "0"}
	one, two := m.start(0, flags...), m.start(1, flags...)
	one.says("all 2 nodes have met")
	two.says("all 2 nodes have met")
	second := m.start(1, flags...)
	second.ends(cli.Usage)
	require.Contains(t, second.errs.String(), "another process writes its history there: name another file")
	// On another machine, as it were, it has another address and history.
	elsewhere := *m
	elsewhere.dir, elsewhere.peers = t.TempDir(), []string{m.peers[0], "127.0.0.1:0"}
	second = elsewhere.start(1, flags...)
	second.ends(cli.Usage)
	require.Contains(t, second.errs.String(), "node 0 refuses this process: the run has begun with another process as node 1")
	for _, s := range []*solo{one, two} {
		require.NoError(t, s.Process.Signal(syscall.SIGTERM))
		s.ends(cli.Undecided)
	}
}

// A resource that another process holds, and that is stopped, does not keep a node from
// giving up.
func TestResourceIsHeld(t *testing.T) {
	t.Parallel()
	m := newTeam(t, 2)
	f, err := os.OpenFile(filepath.Join(m.dir, "resource"), os.O_RDWR|os.O_CREATE, 0o600)
	require.NoError(t, err)
	t.Cleanup(func() { f.Close() })
	require.NoError(t, filelock.Try(f))
	flags := []string{"-entries", "30", "-patience", "6s"}
	one, two := m.start(0, flags...), m.start(1, flags...)
	for _, s := range []*solo{one, two} {
		s.ends(cli.Undecided)
		require.Contains(t, s.errs.String(), "gave up after 6s (-patience)")
	}
	require.Contains(t, one.errs.String()+two.errs.String(), "requests are repeated: another process holds "+f.Name())
}
