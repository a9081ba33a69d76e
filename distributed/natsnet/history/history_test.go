package history

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
)

// inTurn is a history of n entries of three nodes, one after the other.
func inTurn(n int) (entries []Entry) {
	for k := range int64(n) {
		entries = append(entries, Entry{
			PID: int(100 + k%3), Node: distributed.ID(k % 3), Asked: max(0, 10*k-25), Entered: 10*k + 1, Left: 10*k + 9, Fence: distributed.Fence{Count: k + 1},
		})
	}
	return entries
}

func TestCheck(t *testing.T) {
	v := Check(inTurn(10_000), time.Minute)
	require.Equal(t, Verdict{Entries: 10_000, Holds: true, Decided: true}, v)

	for name, c := range map[string]struct {
		change func(e []Entry)
		says   string
	}{
		"two inside":        {func(e []Entry) { e[1500].Entered = e[1499].Left - 2 }, "node 0 (process 100) entered with token 0.1501 2ns before node 2 (process 102) left with token 0.1500"},
		"one token twice":   {func(e []Entry) { e[1500].Fence = e[1499].Fence }, "node 0 (process 100) entered with token 0.1500 after node 2 (process 102) with token 0.1500"},
		"a token of before": {func(e []Entry) { e[1500].Fence.Count = 7 }, "node 0 (process 100) entered with token 0.7 after node 2 (process 102) with token 0.1500"},
		"at a part's end":   {func(e []Entry) { e[1000].Entered = e[999].Left - 2 }, "node 1 (process 101) entered with token 0.1001 2ns before node 0 (process 100) left with token 0.1000"},
	} {
		entries := inTurn(2500)
		c.change(entries)
		require.Equal(t, Verdict{Entries: 2500, Decided: true, Detail: c.says}, Check(entries, time.Minute), name)
	}

	// Who was killed inside has left at some time.
	entries := inTurn(30)
	entries[20].Left = 0
	entries = append(entries[:21], entries[22], entries[23], entries[25]) // and its node asks no more
	require.True(t, Check(entries, time.Minute).Holds)
	// Who waits for ever has not been inside.
	require.True(t, Check(append(entries, Entry{Node: 2, Asked: 5}), time.Minute).Holds)
}

// Of several machines only tokens are compared.
func TestCheckTokens(t *testing.T) {
	entries := inTurn(300)
	entries[100].Entered = 5 // by a clock of its own
	entries = append(entries, Entry{Node: 2, Asked: 5})
	require.Equal(t, Verdict{Entries: 300, Holds: true, Decided: true}, CheckTokens(inTurn(300)))
	require.Equal(t, "node 1 entered with token 0.2 after token 0.101", CheckTokens(entries).Detail)
	entries = inTurn(300)
	entries[101].Fence = entries[100].Fence
	require.Equal(t, Verdict{Entries: 300, Decided: true, Detail: "nodes 1 and 2 both entered with token 0.101"}, CheckTokens(entries))
}

// What is written is read, but for a line that a kill has cut short.
func TestWriteAndRead(t *testing.T) {
	var b bytes.Buffer
	w := NewWriter(&b, 2)
	e := Entry{Node: 2, Thread: 1, Asked: 5}
	require.NoError(t, w.Ask(&e))
	e.Entered, e.Fence = 7, distributed.Fence{Epoch: 3, Count: 9}
	require.NoError(t, w.Enter(&e))
	other := Entry{Node: 2, Asked: 6}
	require.NoError(t, w.Ask(&other))
	e.Left, e.Local, e.Refused = 8, 4, true
	require.NoError(t, w.Leave(&e))
	whole := b.String()
	for _, text := range []string{whole, whole + "ask 7 2"} {
		got, err := Read(strings.NewReader(text), nil)
		require.NoError(t, err)
		require.Len(t, got, 2)
		require.NotZero(t, got[0].PID)
		e.PID, other.PID = got[0].PID, got[0].PID
		require.Equal(t, []Entry{e, other}, got)
	}
	for _, text := range []string{"what is this?\n", whole[strings.Index(whole, "leave"):]} {
		_, err := Read(strings.NewReader(text), nil)
		require.ErrorContains(t, err, "a line of a history")
	}
	require.LessOrEqual(t, Now(), Now())
}
