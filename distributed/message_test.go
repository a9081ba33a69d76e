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

// A message prints the fields that are not zero. It prints the node that it is about where
// the kind needs it, or where this is not the sender.
func TestLabels(t *testing.T) {
	for want, m := range map[string]Message{
		"request":                            {From: 1, Who: 1},
		"request who=2":                      {From: 1, Who: 2},
		"request who=0":                      {From: 1},
		"grant":                              {From: 1, Kind: Grant},
		"grant who=2":                        {From: 1, Who: 2, Kind: Grant},
		"signal who=1 thread=2":              {From: 1, Who: 1, Kind: Signal, Thread: 2},
		"refused who=1":                      {From: 1, Who: 1, Kind: Refused},
		"moved who=0":                        {Kind: Moved},
		"token lock=1 stamp=2 clock=3 [4 5]": {Kind: Token, Lock: 1, Stamp: 2, Clock: 3, Body: []int64{4, 5}},
		"token and a request for its return": {Kind: Token, Flag: true},
		"token [5]":                          {Kind: Token, Body: []int64{5}},
		"report has it":                      {Kind: Report, Flag: true},
		"request flag":                       {Flag: true},
	} {
		require.Equal(t, want, m.Label())
	}
	require.Equal(t, "1→2 ok", Message{From: 1, To: 2, Kind: OK}.String())
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
