package link

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
	"shmbench/distributed/natsnet/wire"
)

// long is a deadline for actions that take no time on any machine.
const long = time.Minute

func wait[T any](t *testing.T, c <-chan T) (v T) {
	t.Helper()
	select {
	case v = <-c:
	case <-time.After(long):
		t.Fatal("it hangs")
	}
	return v
}

// lines are what a link says.
type lines struct {
	mu  sync.Mutex
	all []string
}

func (l *lines) say(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, text)
}

func (l *lines) get() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]string(nil), l.all...)
}

// process is a link that has not begun.
func process(t *testing.T, w *net, me distributed.ID, change func(o *Options)) (*Link, *lines) {
	said := new(lines)
	o := options(me, len(w.in))
	o.Say = said.say
	if change != nil {
		change(&o)
	}
	l := New(w.port(me), o)
	require.NoError(t, l.Meet())
	t.Cleanup(func() { require.NoError(t, l.Close()) })
	return l, said
}

// Whatever the network does to hellos, all nodes meet, and what was sent before
// arrives then.
func TestMeet(t *testing.T) {
	w := newNet(3, 0.2)
	var all []*Link
	for i := range distributed.ID(3) {
		l, said := process(t, w, i, nil)
		all = append(all, l)
		defer func() { require.Empty(t, said.get()) }()
	}
	for i, l := range all {
		wait(t, l.Met())
		l.Send(parcel(distributed.ID(i), distributed.ID((i+1)%3), 1))
	}
	time.Sleep(50 * time.Millisecond) // some of it comes before the receiver begins
	for _, l := range all {
		k := newTaker(1)
		require.NoError(t, l.Start(k.deliver, func(err error) { k.failed <- err }))
		wait(t, k.all)
		for _, p := range l.Peers() {
			require.True(t, p.Met)
		}
	}
}

// A process that was started otherwise is not taken in. Both sides say so in one
// line. A process that no other one is like ends; one that another is like waits.
func TestStartedOtherwise(t *testing.T) {
	w := newNet(4, 0)
	w.in = w.in[:4]
	three := func(o *Options) {
		o.Nodes, o.Settings = 3, []wire.Setting{{Name: "-alg", Value: "raymond"}, {Name: "-of", Value: "3"}}
	}
	l0, said0 := process(t, w, 0, three)
	l1, said1 := process(t, w, 1, three)
	l2, said2 := process(t, w, 2, func(o *Options) {
		three(o)
		o.Settings = []wire.Setting{{Name: "-alg", Value: "suzuki-kasami"}, {Name: "-of", Value: "3"}}
	})
	l3, said3 := process(t, w, 3, func(o *Options) {
		o.Settings = []wire.Setting{{Name: "-alg", Value: "raymond"}, {Name: "-of", Value: "4"}}
	})
	require.ErrorContains(t, wait(t, l2.Failed()), "no other node was started like this one; node ")
	require.ErrorContains(t, wait(t, l3.Failed()), "no other node was started like this one; node ")
	for _, said := range []*lines{said0, said1} {
		require.ElementsMatch(t, []string{
			"node 2 was started otherwise, and is not taken in: -alg: raymond here, suzuki-kasami there",
			"node 3 was started otherwise, and is not taken in: -of: 3 here, 4 there",
		}, said.get())
	}
	require.Contains(t, said2.get(), "node 0 was started otherwise, and is not taken in: -alg: suzuki-kasami here, raymond there")
	require.Contains(t, said2.get(), "node 3 was started otherwise, and is not taken in: -alg: suzuki-kasami here, raymond there; -of: 3 here, 4 there")
	require.Contains(t, said3.get(), "node 0 was started otherwise, and is not taken in: -of: 4 here, 3 there")
	require.Empty(t, l0.Failed())
	require.Empty(t, l1.Failed())
	require.Equal(t, "-alg: raymond here, suzuki-kasami there", l0.Peers()[1].Differs)
	require.True(t, l0.Peers()[0].Met)
	// The right one comes later.
	process(t, w, 2, three)
	wait(t, l0.Met())
	wait(t, l1.Met())
	require.Empty(t, l0.Peers()[1].Differs)
}

// Nodes with different versions of frames tell each other so.
func TestAnotherVersion(t *testing.T) {
	var said lines
	o := options(0, 2)
	o.Say = said.say
	s := &stranger{l: New(newNet(2, 0).port(0), o), process: 5}
	s.send(t, wire.Frame{Version: wire.Version + 1, Kind: wire.Hello, Reply: true, Settings: o.Settings})
	require.Equal(t, []string{"node 1 was started otherwise, and is not taken in: frames: version 2 here, version 3 there"}, said.get())
	require.Equal(t, uint8(wire.Version), s.last().Version, "it is answered, and sees the same")
	s.hello(t, s.l.process) // as of this version
	require.Equal(t, "", s.l.Peers()[0].Differs)
}

// An algorithm that takes no restarted node back goes on with the process that it
// has met. Another process of the node is refused, forged or not.
func TestNewcomerIsRefused(t *testing.T) {
	var said lines
	o := options(0, 2)
	o.Say = said.say
	s, k := met(t, o, 2)
	s.parcel(t, 1, 1)
	s.l.peers[1].heard = time.Now().Add(-time.Hour) // however silent it is
	newcomer := &stranger{l: s.l, process: 1 << 63}
	newcomer.hello(t, 0)
	newcomer.parcel(t, 1, 1) // a forged frame of a later process, as it were
	newcomer.hello(t, s.l.process)
	newcomer.hello(t, s.l.process)
	refusal := newcomer.answers[len(newcomer.answers)-2]
	require.Equal(t, wire.Refusal, refusal.Kind)
	require.True(t, refusal.Final)
	require.Equal(t, newcomer.process, refusal.Other)
	require.False(t, newcomer.last().Met)
	require.Equal(t, []string{"node 1 was started again, and is not taken back: the algorithm has no rule for that"}, said.get())
	s.parcel(t, 2, 1)
	wait(t, k.all)
	require.Empty(t, k.failed)

	// The process that is refused ends.
	l, _ := process(t, newNet(2, 0), 1, nil)
	refusal.Other = l.process
	l.receive(0, refusal.Append(nil), nil)
	require.EqualError(t, wait(t, l.Failed()), "node 0 refuses this process: the run has begun with another process as node 1, and the algorithm has no rule to take a restarted node back")
}

// An algorithm that takes restarted nodes back does so once the earlier process does
// not live any more, and what was sent to that one does not reach the next.
func TestNewcomerIsTakenBack(t *testing.T) {
	var said lines
	o := options(0, 2)
	o.Say, o.Rejoins = said.say, func(i distributed.ID) bool { return i == 1 }
	s, k := met(t, o, 3)
	l := s.l
	l.Send(parcel(0, 1, 1))
	s.parcel(t, 1, 1)
	newcomer := &stranger{l: l, process: 4}
	newcomer.hello(t, l.process)
	refusal := newcomer.answers[0]
	require.Equal(t, wire.Refusal, refusal.Kind)
	require.False(t, refusal.Final, "the other one lives")
	require.Contains(t, refusal.Reason, "another process is node 1, and was heard ")
	s.parcel(t, 2, 1)

	l.peers[1].heard = time.Now().Add(-alive)
	newcomer.hello(t, l.process)
	require.Equal(t, []bool{true, true}, []bool{newcomer.last().Met, newcomer.last().Again})
	require.Equal(t, []string{"node 1 was started again, and is taken back; 1 messages that its earlier process had not taken are lost"}, said.get())
	newcomer.parcel(t, 1, 1)
	wait(t, k.all)
	require.Equal(t, 0, l.Peers()[0].Unacked)

	// The earlier one was only stopped. It learns that it has no part any more.
	s.parcel(t, 3, 1)
	require.Equal(t, []any{wire.Refusal, true, s.process}, []any{s.last().Kind, s.last().Final, s.last().Other})
	require.Equal(t, 3, k.taken())

	// One that has said that it ends is not waited for.
	newcomer.send(t, wire.Frame{Other: l.process, Bye: true})
	require.True(t, l.Peers()[0].Left)
	third := &stranger{l: l, process: 3}
	third.hello(t, l.process)
	require.True(t, third.last().Met)
	require.False(t, l.Peers()[0].Left)
}

// A process whose number another one has that lives ends after a time.
func TestNumberInUse(t *testing.T) {
	w := newNet(2, 0)
	l, said := process(t, w, 1, nil)
	refusal := wire.Frame{Version: wire.Version, Kind: wire.Refusal, Run: run, To: 1, Process: 9, Other: l.process, Reason: "another process is node 1"}
	l.receive(0, refusal.Append(nil), nil)
	l.receive(0, refusal.Append(nil), nil)
	require.Equal(t, []string{"node 0 does not take this process yet: another process is node 1"}, said.get())
	l.meeting.mu.Lock()
	l.meeting.refusedSince = time.Now().Add(-2 * hope)
	l.meeting.mu.Unlock()
	require.EqualError(t, wait(t, l.Failed()), "another process is node 1, and lives: each node needs an -id of its own")

	// The process that has the number hears of it, and goes on.
	l, said = process(t, newNet(2, 0), 1, nil)
	l.receive(1, (&wire.Frame{Version: wire.Version, Kind: wire.Hello, Run: run, From: 1, To: 1, Process: l.process + 1, Settings: l.o.Settings}).Append(nil), nil)
	require.Equal(t, []string{"another process says that it is node 1, too (-id)"}, said.get())
	require.Empty(t, l.Failed())
}

// Before the nodes begin, a process that was killed and started again is one like
// any other.
func TestRestartedBeforeTheBeginning(t *testing.T) {
	l := New(newNet(3, 0).port(0), options(0, 3))
	l.o.Resend = time.Nanosecond
	one, again, two := &stranger{l: l, process: 5}, &stranger{l: l, process: 6}, &stranger{l: l, process: 7}
	one.hello(t, l.process)
	require.Equal(t, 1, l.meeting.missing)
	l.peers[1].heard = time.Now().Add(-alive)
	again.hello(t, l.process)
	require.Equal(t, []bool{true, false}, []bool{again.last().Met, again.last().Again})
	require.Equal(t, 1, l.meeting.missing)
	two.send(t, wire.Frame{From: 2, Kind: wire.Hello, Other: l.process, Met: true, Settings: l.o.Settings})
	wait(t, l.Met())
}

// A node that the others take back hears of it.
func TestAgain(t *testing.T) {
	l := New(newNet(2, 0).port(0), options(0, 2))
	s := &stranger{l: l, process: 5}
	s.send(t, wire.Frame{Kind: wire.Hello, Other: l.process, Met: true, Again: true, Settings: l.o.Settings})
	wait(t, l.Again())
	wait(t, l.Met())
}

// A link that fails after all have met and before it begins, fails as it begins.
func TestFailsInBetween(t *testing.T) {
	l := New(newNet(2, 0).port(0), options(0, 2))
	s := &stranger{l: l, process: 5}
	s.hello(t, l.process)
	s.send(t, wire.Frame{Kind: wire.Refusal, Other: l.process, Final: true, Reason: "so"})
	k := newTaker(0)
	require.NoError(t, l.Start(k.deliver, func(err error) { k.failed <- err }))
	require.EqualError(t, wait(t, k.failed), "node 1 refuses this process: so")
}
