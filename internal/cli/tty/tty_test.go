package tty

import (
	"bytes"
	"io"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestNothingButATerminalIsOne(t *testing.T) {
	require.False(t, Is(new(bytes.Buffer)))
	null, err := os.Open(os.DevNull)
	require.NoError(t, err)
	defer null.Close()
	require.False(t, Is(null), "a character device that is no terminal")
}

func TestStandardErrorMayLeadToATerminal(t *testing.T) {
	t.Setenv(Through, "yes")
	require.True(t, Is(os.Stderr))
	_, w, err := os.Pipe() // not os.Stdout, which go test -json makes the same file
	require.NoError(t, err)
	defer w.Close()
	require.False(t, Is(w))
}

func TestProgressIsSilentElsewhere(t *testing.T) {
	var out bytes.Buffer
	p := NewProgress(&out, 3)
	p.At(1, "x")
	p.Clear()
	require.Empty(t, out.String())
}

func TestProgressEstimatesTheTimeLeft(t *testing.T) {
	var out bytes.Buffer
	start := time.Now()
	now := start
	p := &Progress{w: &out, total: 4, start: start, now: func() time.Time { return now }}
	p.At(0, "tas/tas")
	now = start.Add(3 * time.Second)
	p.At(1, "cas/cas")
	require.Equal(t, "\r0/4, time left unknown: tas/tas\x1b[K\r1/4, 9s left: cas/cas\x1b[K", out.String())
	p.Clear()
}

// Before the first step is done, the least time of the job is shown if it is known.
func TestProgressExpects(t *testing.T) {
	var out bytes.Buffer
	p := &Progress{w: &out, total: 4, now: time.Now}
	p.Expect(90 * time.Second)
	p.At(0, "tas/tas")
	p.Clear()
	require.Contains(t, out.String(), "\r0/4, at least 1m30s left: tas/tas")
}

// What goes on without a line of its own is shown from two seconds on, and
// removed.
func TestElapsed(t *testing.T) {
	var out bytes.Buffer
	ticks := make(chan time.Time)
	stop := elapsed(&out, "dist verify", ticks)
	for range 3 {
		ticks <- time.Time{}
	}
	stop()
	require.Contains(t, []string{"\rdist verify: 2s\x1b[K\rdist verify: 3s\x1b[K\r\x1b[K", "\rdist verify: 2s\x1b[K\r\x1b[K"}, out.String())

	out.Reset()
	showing.Add(1)
	defer showing.Add(-1)
	stop = elapsed(&out, "run", ticks)
	for range 3 {
		ticks <- time.Time{}
	}
	stop()
	require.Empty(t, out.String(), "there is a line that tells more")
}

// Color is for terminals, where nothing forbids it.
func TestColor(t *testing.T) {
	for _, c := range []struct {
		terminal      bool
		noColor, term string
		want          bool
	}{
		{true, "", "xterm", true}, {true, "1", "xterm", false}, {true, "", "dumb", false}, {false, "", "xterm", false},
	} {
		env := map[string]string{"NO_COLOR": c.noColor, "TERM": c.term}
		require.Equal(t, c.want, colored(c.terminal, func(key string) string { return env[key] }), "%v", c)
	}
	require.False(t, Color(new(bytes.Buffer)))
}

// A line that is cleared for a message and shown again is the one that is shown.
func TestAClearedLineIsShownAgain(t *testing.T) {
	before := showing.Load()
	p := &Progress{w: new(bytes.Buffer), total: 4, now: time.Now}
	p.At(0, "x")
	require.Equal(t, before+1, showing.Load())
	p.Clear()
	require.Equal(t, before, showing.Load())
	p.At(1, "x")
	require.Equal(t, before+1, showing.Load())
	p.Clear()
	p.Clear()
	require.Equal(t, before, showing.Load())
}

// wrapper leads to another writer.
type wrapper struct{ *os.File }

func (w wrapper) Unwrap() io.Writer { return w.File }

func TestAWrapperLeadsToATerminal(t *testing.T) {
	t.Setenv(Through, "yes")
	require.True(t, Is(wrapper{os.Stderr}))
	null, err := os.Open(os.DevNull)
	require.NoError(t, err)
	defer null.Close()
	require.False(t, Is(wrapper{null}))
}
