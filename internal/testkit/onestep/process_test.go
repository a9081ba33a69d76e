package onestep_test

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/internal/testkit/onestep"
	"shmbench/shm/spin"
)

// late is a gate that a process reaches only after other work.
type late struct {
	work          func()
	arrived, open atomic.Bool
}

func (l *late) Lock(int) {
	l.work()
	l.arrived.Store(true)
	spin.Until(l.open.Load)
}

func (l *late) Unlock(int) {}

// What a process does before its wait is done when MustWait returns, however long it takes.
func TestMustWaitComesAsFarAsTheWait(t *testing.T) {
	computes := func() {
		for end := time.Now().Add(20 * time.Millisecond); time.Now().Before(end); {
		}
	}
	for _, work := range []func(){computes, func() { time.Sleep(20 * time.Millisecond) }} {
		l := &late{work: work}
		p := onestep.Enter(l, 0)
		p.MustWait(t)
		require.True(t, l.arrived.Load())
		l.open.Store(true)
		p.MustEnter(t)
		p.Leave()
	}
}

// failing is a testing.TB that notes a failure.
type failing struct {
	testing.TB
	why string
}

func (f *failing) Fatalf(format string, _ ...any) {
	f.why = format
	panic(f)
}

// A process that enters fails MustWait.
func TestMustWaitRejectsAnOpenLock(t *testing.T) {
	l := &late{work: func() {}}
	l.open.Store(true)
	p := onestep.Enter(l, 0)
	p.MustEnter(t)
	f := &failing{TB: t}
	require.Panics(t, func() { p.MustWait(f) })
	require.Contains(t, f.why, "entered, and should wait")
}

// Until asks again until the condition holds, and asks no more then.
func TestUntil(t *testing.T) {
	asked := 0
	onestep.Until(t, func() bool { asked++; return asked == 3 })
	require.Equal(t, 3, asked)
}
