package distributed

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWireRoundTrip(t *testing.T) {
	for _, m := range []Message{
		{},
		{From: 1, To: 2, Kind: Request, Stamp: 7},
		{From: None, To: 1 << 19, Who: 3, Thread: 9, Kind: Signal, Flag: true, Lock: 65535, Stamp: -1 << 63, Clock: 1 << 62},
		{Kind: Token, Body: []int64{0, -1, 1 << 62}},
		{Kind: Token, Body: []int64{5}},
	} {
		b := m.AppendWire([]byte("before"))
		got, rest, err := ParseMessage(append(b[6:], 'x'))
		require.NoError(t, err)
		require.Equal(t, m, got)
		require.Equal(t, "x", string(rest))
	}
}

func TestParseMessageRefuses(t *testing.T) {
	whole := Message{From: 1, To: 2, Kind: Token, Body: []int64{300, 4}}.AppendWire(nil)
	for name, b := range map[string][]byte{
		"nothing":          nil,
		"no such kind":     {byte(kinds), 0, 0, 0, 0, 0, 0, 0, 0, 0},
		"no such flag":     {0, 2, 0, 0, 0, 0, 0, 0, 0, 0},
		"padded varint":    {0, 0, 0x80, 0, 0, 0, 0, 0, 0, 0, 0},
		"lock beyond 16":   Message{Lock: 0}.AppendWire(nil)[:6],
		"negative body":    {0, 0, 0, 0, 0, 0, 0, 0, 0, 1},
		"body beyond data": {0, 0, 0, 0, 0, 0, 0, 0, 0, 100},
		"cut body":         whole[:len(whole)-1],
	} {
		_, _, err := ParseMessage(b)
		require.ErrorIs(t, err, ErrWire, name)
	}
}

// A kind is read by its name.
func TestKindNames(t *testing.T) {
	for k := range kinds {
		text, err := k.MarshalText()
		require.NoError(t, err)
		var read Kind
		require.NoError(t, read.UnmarshalText(text))
		require.Equal(t, k, read)
	}
	require.ErrorContains(t, new(Kind).UnmarshalText([]byte("letter")), "no kind of message")
}

func FuzzParseMessage(f *testing.F) {
	f.Add(Message{From: 1, To: 2, Kind: Token, Flag: true, Body: []int64{300, -4}}.AppendWire(nil))
	f.Add([]byte{0, 0, 0x80, 0, 0, 0, 0, 0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		m, rest, err := ParseMessage(b)
		if err != nil {
			require.ErrorIs(t, err, ErrWire)
			return
		}
		require.Equal(t, b[:len(b)-len(rest)], m.AppendWire(nil), "what parses is the one form of its message")
		require.NotEmpty(t, m.String())
	})
}
