package wire

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
)

var run = Run{1, 2, 3}

func sample() *Frame {
	return &Frame{
		Version: Version, Run: run, From: 2, To: 1, Process: 77, Other: 5, Ack: 9, Seq: 12, Oldest: 10,
		Parcel: distributed.Parcel{
			Message: distributed.Message{Kind: distributed.Token, From: 2, To: 1, Who: distributed.None, Thread: 1, Stamp: -4, Body: []int64{1, -2}},
			Fence:   distributed.Fence{Epoch: 3, Count: 1 << 40}, Sent: 123456789,
		},
	}
}

func hello() *Frame {
	return &Frame{Version: Version, Kind: Hello, Run: run, From: 2, To: 1, Process: 77, Other: 5, Met: true, Reply: true, Settings: []Setting{{"-alg", "raymond"}, {"-of", "3"}}}
}

func refusal() *Frame {
	return &Frame{Version: Version, Kind: Refusal, Run: run, From: 2, To: 1, Process: 77, Other: 5, Final: true, Reason: "another process is node 1"}
}

func TestRoundTrip(t *testing.T) {
	ack := &Frame{Version: Version, Run: run, From: 0, To: 2, Process: 1, Other: 77, Ack: 12, Gap: true, Done: true, Bye: true}
	for _, f := range []*Frame{sample(), ack, hello(), refusal()} {
		got, err := Parse(f.Append(nil), run, 3, 2)
		require.NoError(t, err)
		require.Equal(t, f, got)
	}
	named, err := ParseRun(run.String())
	require.NoError(t, err)
	require.Equal(t, run, named)
	_, err = ParseRun("beef")
	require.EqualError(t, err, `"beef" is no run: want 32 hexadecimal digits`)
	require.NotEqual(t, NewRun(), NewRun())
	require.NotContains(t, run.String(), run.Fingerprint())
}

func TestRefused(t *testing.T) {
	whole := sample().Append(nil)
	of := func(change func(f *Frame)) []byte {
		f := sample()
		change(f)
		return f.Append(nil)
	}
	but := func(f *Frame, change func(f *Frame)) []byte {
		change(f)
		return f.Append(nil)
	}
	message := func(change func(m *distributed.Message)) []byte {
		return of(func(f *Frame) { change(&f.Parcel.Message) })
	}
	for name, c := range map[string]struct {
		frame []byte
		err   error
	}{
		"nothing":           {nil, ErrForeign},
		"text":              {[]byte("GET / HTTP/1.1\r\nHost: somewhere.example\r\n"), ErrForeign},
		"another run":       {of(func(f *Frame) { f.Run = Run{9} }), ErrForeign},
		"earlier version":   {of(func(f *Frame) { f.Version = 1 }), ErrForeign},
		"later version":     {of(func(f *Frame) { f.Version = Version + 1 }), ErrForeign},
		"flags":             {append([]byte("dme\x02\xfc"), whole[5:]...), ErrMalformed},
		"kind":              {append([]byte("dme\x02\x03"), whole[5:]...), ErrMalformed},
		"no such node":      {of(func(f *Frame) { f.From = 3 }), ErrMalformed},
		"to itself":         {of(func(f *Frame) { f.From = 1 }), ErrMalformed},
		"no process":        {of(func(f *Frame) { f.Process = 0 }), ErrMalformed},
		"to no process":     {of(func(f *Frame) { f.Other = 0 }), ErrMalformed},
		"who":               {message(func(m *distributed.Message) { m.Who = 3 }), ErrMalformed},
		"thread":            {message(func(m *distributed.Message) { m.Thread = 2 }), ErrMalformed},
		"thread below":      {message(func(m *distributed.Message) { m.Thread = -1 }), ErrMalformed},
		"not its own":       {message(func(m *distributed.Message) { m.From = 0 }), ErrMalformed},
		"kind of message":   {message(func(m *distributed.Message) { m.Kind = distributed.Kind(distributed.Kinds) }), ErrMalformed},
		"stamp":             {message(func(m *distributed.Message) { m.Stamp = math.MaxInt64 }), ErrMalformed},
		"stamp below":       {message(func(m *distributed.Message) { m.Stamp = math.MinInt64 }), ErrMalformed},
		"clock":             {message(func(m *distributed.Message) { m.Clock = MaxNumber + 1 }), ErrMalformed},
		"body":              {message(func(m *distributed.Message) { m.Body = []int64{0, math.MaxInt64} }), ErrMalformed},
		"oldest later":      {of(func(f *Frame) { f.Oldest = 13 }), ErrMalformed},
		"negative count":    {of(func(f *Frame) { f.Parcel.Fence.Count = -1 }), ErrMalformed},
		"huge count":        {of(func(f *Frame) { f.Parcel.Fence.Count = math.MaxInt64 }), ErrMalformed},
		"huge epoch":        {of(func(f *Frame) { f.Parcel.Fence.Epoch = MaxNumber + 1 }), ErrMalformed},
		"negative time":     {of(func(f *Frame) { f.Parcel.Sent = -1 }), ErrMalformed},
		"cut short":         {whole[:len(whole)-1], ErrMalformed},
		"longer":            {append(whole[:len(whole):len(whole)], 0), ErrMalformed},
		"padded":            {append(append([]byte("dme\x02\x00"), run[:]...), 0x82, 0, 1, 77, 5, 9), ErrMalformed},
		"far too large":     {make([]byte, MaxFrame+1), ErrOversized},
		"hello, cut":        {hello().Append(nil)[:40], ErrMalformed},
		"hello, longer":     {append(hello().Append(nil), 0), ErrMalformed},
		"hello, its node":   {but(hello(), func(f *Frame) { f.From = MaxNodes }), ErrMalformed},
		"hello, no setting": {but(hello(), func(f *Frame) { f.Settings = []Setting{{"", "x"}} }), ErrMalformed},
		"hello, too long":   {but(hello(), func(f *Frame) { f.Settings = []Setting{{"-alg", strings.Repeat("x", 3000)}} }), ErrMalformed},
		"refusal, colors":   {but(refusal(), func(f *Frame) { f.Reason = "\x1b[31m" }), ErrMalformed},
		"refusal, no text":  {but(refusal(), func(f *Frame) { f.Reason = "\xff" }), ErrMalformed},
	} {
		_, err := Parse(c.frame, run, 3, 2)
		require.ErrorIs(t, err, c.err, name)
	}
	// Every beginning of a frame is refused.
	for _, f := range []*Frame{sample(), hello(), refusal()} {
		b := f.Append(nil)
		for n := range b {
			_, err := Parse(b[:n], run, 3, 2)
			require.Error(t, err, "%d bytes of %v", n, f)
		}
	}
}

// Hellos and refusals reach nodes that count otherwise, or have another version.
func TestThoseWhoDiffer(t *testing.T) {
	for _, f := range []*Frame{hello(), refusal()} {
		f.From, f.Version = 900, Version+1
		got, err := Parse(f.Append(nil), run, 3, 2)
		require.NoError(t, err)
		require.Equal(t, f, got)
	}
	here, there := hello().Settings, []Setting{{"-of", "6"}, {"-alg", "raymond"}, {"-tick", "1s"}}
	require.Equal(t, []string{"-of: 3 here, 6 there", "-tick: nothing here, 1s there"}, Differences(here, there))
	require.Empty(t, Differences(here, here))
}

// What Fits refuses no other node would take.
func TestFits(t *testing.T) {
	p := sample().Parcel
	require.True(t, Fits(&p))
	p.Fence.Count = MaxNumber + 1
	require.False(t, Fits(&p))
	p = sample().Parcel
	p.Message.Clock = math.MinInt64
	require.False(t, Fits(&p))
}

// FuzzParse: a frame is refused, or it is exactly what Append writes of it.
func FuzzParse(f *testing.F) {
	for _, frame := range []*Frame{sample(), hello(), refusal(), {Version: Version, Run: run, From: 0, To: 2, Process: 1, Other: 1}} {
		f.Add(frame.Append(nil))
	}
	f.Add([]byte("dme"))
	f.Fuzz(func(t *testing.T, b []byte) {
		frame, err := Parse(b, run, 3, 2)
		if err != nil {
			return
		}
		require.True(t, bytes.Equal(b, frame.Append(nil)))
		if frame.Kind == Ordinary {
			require.True(t, Fits(&frame.Parcel))
			require.Less(t, frame.From, distributed.ID(3))
			require.Less(t, frame.Parcel.Message.Thread, distributed.Thread(2))
		}
	})
}
