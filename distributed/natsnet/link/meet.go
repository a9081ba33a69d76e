package link

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"shmbench/distributed"
	"shmbench/distributed/natsnet/wire"
)

// This file has the meeting of processes. A process says hello to each node until that
// node has met it. A hello has the settings, the name of the sender's process and, once
// the sender knows it, the name of the receiver's process. A hello that names this very
// process is fresh: only a process that has heard this process knows its name. So an old
// hello changes nothing, and neither does a hello from a stranger who cannot listen.
//
// A fresh hello of a node that is met already may come from another process of that node.
// As long as the met process is alive, the new process waits. After the end of the met
// process, the new one takes its place, if this node has not begun, or if the algorithm
// takes a restarted node back.

// meeting says how far a link has met the other nodes.
type meeting struct {
	mu       sync.Mutex
	others   int
	missing  int
	met      chan struct{} // closed when none is missing
	again    chan struct{} // closed when a node says that it takes this one back
	isAgain  bool
	greeted  time.Time
	said     map[distributed.ID]uint64 // of a node: its process that the last message to the user named
	answered map[distributed.ID]time.Time
	differs  map[distributed.ID]string // of a node that was started otherwise: how

	// Others refuse this process because of another one that lives; zero: they do not.
	refusedSince, refusedLast time.Time
}

func (m *meeting) init(others int) {
	m.others, m.missing, m.met, m.again = others, others, make(chan struct{}), make(chan struct{})
	m.said, m.answered, m.differs = map[distributed.ID]uint64{}, map[distributed.ID]time.Time{}, map[distributed.ID]string{}
}

// Met returns a channel that is closed when this process and a process of every
// other node have met.
func (l *Link) Met() <-chan struct{} { return l.meeting.met }

// Again returns a channel that is closed when another node takes this process
// back, in place of an earlier process.
func (l *Link) Again() <-chan struct{} { return l.meeting.again }

// hope is how long a process waits for the end of another process with its number.
const hope = 3 * alive

// settle is how long a process waits for a process with the same settings, when
// others have different settings.
const settle = 4 * Silence

// greet says hello to every listener, and decides whether there is any hope.
func (l *Link) greet(now time.Time) {
	m := &l.meeting
	m.mu.Lock()
	due := m.missing > 0 && now.Sub(m.greeted) >= Silence/2
	refused := !m.refusedSince.IsZero() && m.refusedLast.Sub(m.refusedSince) > hope
	if due {
		m.greeted = now
	}
	m.mu.Unlock()
	switch {
	case !due || l.broken.Load():
	case refused && !l.begun.Load():
		l.breaks(fmt.Errorf("another process is node %d, and lives: each node needs an -id of its own", l.o.Me))
	default:
		l.carrier.Greet(l.hello(l.o.Me).Append(nil))
	}
}

// hello returns a hello to node i.
func (l *Link) hello(i distributed.ID) *wire.Frame {
	return &wire.Frame{Version: wire.Version, Kind: wire.Hello, Run: l.o.Run, From: l.o.Me, To: i, Process: l.process, Settings: l.o.Settings}
}

// helloed handles a hello of a process that knows the run.
func (l *Link) helloed(f *wire.Frame, answer func([]byte)) {
	switch differences := l.differences(f); {
	case f.From == l.o.Me:
		if f.Process != l.process {
			l.once(f, "another process says that it is node %d, too (-id)", l.o.Me)
		}
		return
	case differences != "":
		l.otherwise(f, differences)
		l.answer(f, answer)
		return
	case f.To == f.From: // a greeting: it was for those who differ
		return
	case int(f.From) >= len(l.peers) || f.To != l.o.Me:
		l.drop(fmt.Errorf("%w: a hello from node %d to node %d", errMisaddressed, f.From, f.To))
		return
	}
	if f.Other == l.process {
		l.peers[f.From].fresh(f, answer)
	}
	if f.Reply {
		l.answer(f, answer)
	}
}

// differences says how the settings of the sender of f differ; "": they do not.
func (l *Link) differences(f *wire.Frame) string {
	all := wire.Differences(l.o.Settings, f.Settings)
	if f.Version != wire.Version {
		all = append([]string{fmt.Sprintf("frames: version %d here, version %d there", wire.Version, f.Version)}, all...)
	}
	return clip(strings.ReplaceAll(strings.Join(all, "; "), "\n", " "))
}

// otherwise notes a node with different settings.
func (l *Link) otherwise(f *wire.Frame, how string) {
	l.once(f, "node %d was started otherwise, and is not taken in: %s", f.From, how)
	m := &l.meeting
	m.mu.Lock()
	first := len(m.differs) == 0
	m.differs[f.From] = how
	m.mu.Unlock()
	if !first {
		return
	}
	time.AfterFunc(settle, func() {
		m.mu.Lock()
		none := m.missing == m.others
		m.mu.Unlock()
		if none && !l.begun.Load() {
			l.breaks(fmt.Errorf("no other node was started like this one; node %d was started otherwise: %s", f.From, how))
		}
	})
}

// answer says hello to the process that sent f, but not too often.
func (l *Link) answer(f *wire.Frame, answer func([]byte)) {
	m := &l.meeting
	now := time.Now()
	m.mu.Lock()
	due := now.Sub(m.answered[f.From]) >= l.o.Resend/8
	if due {
		m.answered[f.From] = now
	}
	m.mu.Unlock()
	if !due {
		return
	}
	hello := l.hello(f.From)
	hello.Other = f.Process
	if int(f.From) < len(l.peers) {
		hello.Met, hello.Again = l.peers[f.From].knows(f.Process)
	}
	answer(hello.Append(nil))
}

// refuse tells the process that sent f why this node does not accept it.
func (l *Link) refuse(f *wire.Frame, final bool, reason string, answer func([]byte)) {
	answer((&wire.Frame{
		Version: wire.Version, Kind: wire.Refusal, Run: l.o.Run, From: l.o.Me, To: f.From, Process: l.process, Other: f.Process, Final: final, Reason: reason,
	}).Append(nil))
}

// refused handles a refusal.
func (l *Link) refused(f *wire.Frame) {
	if f.Other != l.process { // that of another process of this node
		l.counts.add(1, &l.counts.Misaddressed)
		return
	}
	reason := clip(strings.ReplaceAll(f.Reason, "\n", " "))
	if f.Final {
		l.breaks(fmt.Errorf("node %d refuses this process: %s", f.From, reason))
		return
	}
	l.once(f, "node %d does not take this process yet: %s", f.From, reason)
	m := &l.meeting
	m.mu.Lock()
	defer m.mu.Unlock()
	m.refusedLast = time.Now()
	if m.refusedSince.IsZero() {
		m.refusedSince = m.refusedLast
	}
}

// mutual notes that this process and a process of node i have met.
func (l *Link) mutual(i distributed.ID) {
	m := &l.meeting
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.differs, i)
	if m.missing--; m.missing == 0 {
		close(m.met)
	}
}

// parted notes that a met process has ended before the nodes have begun.
func (l *Link) parted() {
	m := &l.meeting
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.missing > 0 { // else this node begins
		m.missing++
	}
}

// takenBack notes that a node takes this process back.
func (l *Link) takenBack() {
	m := &l.meeting
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.isAgain {
		m.isAgain = true
		close(m.again)
	}
}

// once reports something about a process once.
func (l *Link) once(f *wire.Frame, format string, args ...any) {
	m := &l.meeting
	m.mu.Lock()
	first := m.said[f.From] != f.Process
	m.said[f.From] = f.Process
	m.mu.Unlock()
	if first && l.o.Say != nil {
		l.o.Say(fmt.Sprintf(format, args...))
	}
}

// clip returns the beginning of a long text of another node.
func clip(text string) string {
	const most = 300
	if r := []rune(text); len(r) > most {
		return string(r[:most]) + "…"
	}
	return text
}
