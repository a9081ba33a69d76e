package wire

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
)

var run = Run{1, 2, 3}

func sample() *Frame {
	return &Frame{
		Run: run, From: 2, To: 1, Born: 77, AckBorn: 5, Ack: 9, Seq: 12, Oldest: 10,
		Parcel: distributed.Parcel{
			Message: distributed.Message{Kind: distributed.Token, From: 2, To: 1, Who: distributed.None, Thread: 1, Stamp: -4, Body: []int64{1, -2}},
			Fence:   distributed.Fence{Epoch: 3, Count: 1 << 40}, Sent: 123456789,
		},
	}
}

func TestRoundTrip(t *testing.T) {
	ack := &Frame{Run: run, From: 0, To: 2, Born: 1, AckBorn: 77, Ack: 12, Gap: true, Done: true}
	for _, f := range []*Frame{sample(), ack} {
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
}

func TestRefused(t *testing.T) {
	whole := sample().Append(nil)
	of := func(change func(f *Frame)) []byte {
		f := sample()
		change(f)
		return f.Append(nil)
	}
	for name, c := range map[string]struct {
		frame []byte
		err   error
	}{
		"nothing":       {nil, ErrForeign},
		"text":          {[]byte("GET / HTTP/1.1\r\nHost: somewhere.example\r\n"), ErrForeign},
		"another run":   {of(func(f *Frame) { f.Run = Run{9} }), ErrForeign},
		"version":       {append([]byte("dme\x02"), whole[4:]...), ErrForeign},
		"flags":         {append([]byte("dme\x01\xff"), whole[5:]...), ErrMalformed},
		"no such node":  {of(func(f *Frame) { f.From = 3 }), ErrMalformed},
		"to itself":     {of(func(f *Frame) { f.From = 1 }), ErrMalformed},
		"nobody":        {of(func(f *Frame) { f.Born = 0 }), ErrMalformed},
		"who":           {of(func(f *Frame) { f.Parcel.Message.Who = 3 }), ErrMalformed},
		"thread":        {of(func(f *Frame) { f.Parcel.Message.Thread = 2 }), ErrMalformed},
		"not its own":   {of(func(f *Frame) { f.Parcel.Message.From = 0 }), ErrMalformed},
		"oldest later":  {of(func(f *Frame) { f.Oldest = 13 }), ErrMalformed},
		"negative":      {of(func(f *Frame) { f.Parcel.Fence.Count = -1 }), ErrMalformed},
		"cut short":     {whole[:len(whole)-1], ErrMalformed},
		"longer":        {append(whole[:len(whole):len(whole)], 0), ErrMalformed},
		"padded":        {append(append([]byte("dme\x01\x00"), run[:]...), 0x82, 0, 1, 77, 5, 9), ErrMalformed},
		"far too large": {make([]byte, MaxFrame+1), ErrOversized},
	} {
		_, err := Parse(c.frame, run, 3, 2)
		require.ErrorIs(t, err, c.err, name)
	}
}

// FuzzParse: whatever comes is refused or is exactly what Append writes of it.
func FuzzParse(f *testing.F) {
	f.Add(sample().Append(nil))
	f.Add((&Frame{Run: run, From: 0, To: 2, Born: 1}).Append(nil))
	f.Add([]byte("dme"))
	f.Fuzz(func(t *testing.T, b []byte) {
		frame, err := Parse(b, run, 3, 2)
		if err == nil {
			require.Equal(t, b, frame.Append(nil))
		}
	})
}
