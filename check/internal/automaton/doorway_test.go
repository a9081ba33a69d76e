package automaton_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check/internal/automaton"
)

const doorways = `package p

import "sync/atomic"

type L struct {
	want [2]atomic.Bool
	turn atomic.Int32
}

func New(n int) *L { return new(L) }

func (l *L) Lock(i int) {
	l.want[i].Store(true)  // 1
	l.turn.Store(int32(i)) // 2
	for l.want[1-i].Load() && l.turn.Load() == int32(i) { // 3
	}
	l.turn.Load() // 4
}

func (l *L) Unlock(i int) {
	l.want[i].Store(false) // 5
}
`

// marksOf returns the marks of the local states of process 0, in the order in which its passage comes to them.
func marksOf(t *testing.T, l *automaton.Learner, marks automaton.Marks) (low, lines []int64) {
	t.Helper()
	m, err := l.Minimize(l.AllSeen(), marks)
	require.NoError(t, err)
	for _, local := range m.Procs[0].Local {
		low, lines = append(low, automaton.Unlined(local.Mark)), append(lines, local.Mark>>32)
	}
	return low, lines
}

// TestMarks: the local states are before lines 1, 2, 3, 4, 3 for the second time, and 5. A state of the entry section is marked
// from the first loop on, behind the doorway, and behind the place. The states behind line 5 are none of the entry section.
func TestMarks(t *testing.T) {
	l := learner(t, doorways, 2, 100)
	closed, err := l.Close(64, 1<<13)
	require.NoError(t, err)
	require.True(t, closed)
	const loop, doorway, place = automaton.PastLoop, automaton.PastDoorway, automaton.PastPlace
	for _, c := range []struct {
		name       string
		marks      automaton.Marks
		low, lines []int64
	}{
		{"none", nil, []int64{0, 0, 0, 0, 0, 0}, []int64{0, 0, 0, 0, 0, 0}},
		{"loops", l.Doorways(""), []int64{0, 0, loop, loop, loop, 0}, []int64{0, 0, 0, 0, 0, 0}},
		{"no doorway", l.Doorways("", "", "1"), []int64{0, 0, loop, loop, loop, 0}, []int64{0, 0, 0, 0, 0, 0}},
		{"the first line is the doorway", l.Doorways("2", "1", ""), []int64{0, doorway, loop | doorway | place, loop | doorway | place, loop | doorway | place, 0},
			[]int64{0, 0, 0, 0, 0, 0}},
		{"lines", l.Lines(l.Doorways("3", "2")), []int64{0, 0, loop | doorway, loop | doorway | place, loop | doorway, 0}, []int64{0, 1, 2, 3, 2, 4}},
		{"accesses", l.Accesses(l.Doorways("")), []int64{0, 0, loop, loop, loop, 0}, []int64{0, 1, 2, 3, 4, 5}},
		{"stacks", l.Stacks(), []int64{0, 0, 0, 0, 0, 0}, []int64{0, 1, 2, 3, 4, 5}},
	} {
		low, lines := marksOf(t, l, c.marks)
		require.Equal(t, c.low, low, c.name)
		require.Equal(t, c.lines, lines, c.name)
	}
}

// TestMovesOfMinimal: a model has the values that occur, with numbers of its own, and the moves between them. A value that does
// not occur has no number.
func TestMovesOfMinimal(t *testing.T) {
	l := learner(t, doorways, 2, 100)
	closed, err := l.Close(64, 1<<13)
	require.NoError(t, err)
	require.True(t, closed)
	moves := func(seen automaton.Seen) (all [][]automaton.Move) {
		m, err := l.Minimize(seen, nil)
		require.NoError(t, err)
		require.Zero(t, m.Procs[0].Init)
		for _, local := range m.Procs[0].Local {
			all = append(all, local.Moves)
		}
		return all
	}
	require.Equal(t, [][]automaton.Move{
		{{1, 1}, {1, 1}}, // want[0] := true
		{{2, 0}, {2, 0}}, // turn := 0
		{{3, 0}, {4, 1}}, // want[1]
		{{5, 0}, {5, 1}}, // turn, and then the critical section
		{{2, 0}, {3, 1}}, // turn
		{{0, 0}, {0, 0}}, // want[0] := false
	}, moves(l.AllSeen()))
	// Registers are known in the order want[0], want[1], turn. Process 1 always wants, and turn is 1.
	const unknown = automaton.Unknown
	require.Equal(t, [][]automaton.Move{
		{{1, unknown}},
		{{2, unknown}},
		{{3, 0}},
		{{4, 0}},
		{{5, 0}},
		{{0, 0}},
	}, moves(automaton.Seen{{true, false}, {false, true}, {false, true}}))
}

// TestTooLarge: learning ends at one local state more than there may be.
func TestTooLarge(t *testing.T) {
	const states = 6
	_, err := learner(t, doorways, 2, states).Close(64, 1<<13)
	require.NoError(t, err)
	_, err = learner(t, doorways, 2, states-1).Close(64, 1<<13)
	var large *automaton.ErrTooLarge
	require.ErrorAs(t, err, &large)
	require.Equal(t, states-1, large.States)
	require.ErrorContains(t, err, "has more than 5 local states: does a counter grow?")
}

// TestBytes: learning ends when what was learned takes too much memory. The initial states are no more than that.
func TestBytes(t *testing.T) {
	m := machine(t, doorways, 2)
	l, err := automaton.New(m, 100, 1<<20)
	require.NoError(t, err)
	_, err = l.Close(64, 1<<13)
	require.NoError(t, err)
	_, err = automaton.New(m, 100, 1)
	var large *automaton.ErrTooLarge
	require.ErrorAs(t, err, &large)
	require.Equal(t, []int64{1, 0}, []int64{large.Bytes, int64(large.States)})
}

// TestCloseEnds: what can be learned in whatever order processes move is bounded by values and by transitions.
func TestCloseEnds(t *testing.T) {
	for _, c := range []struct {
		values, steps int
		closed        bool
	}{{2, 24, true}, {2, 23, false}, {1, 24, false}} {
		closed, err := learner(t, doorways, 2, 100).Close(c.values, c.steps)
		require.NoError(t, err)
		require.Equal(t, c.closed, closed, c)
	}
}

// TestBytesOfValues: the values that a counter takes count, though the local states stay few.
func TestBytesOfValues(t *testing.T) {
	const bytes = 1 << 16
	l, err := automaton.New(machine(t, `package p

import "sync/atomic"

type L struct{ count atomic.Uint64 }

func New(n int) *L { return new(L) }

func (l *L) Lock(i int) { l.count.Add(1) }

func (l *L) Unlock(i int) {}
`, 1), 100, bytes)
	require.NoError(t, err)
	_, err = l.Close(1<<20, 1<<20)
	var large *automaton.ErrTooLarge
	require.ErrorAs(t, err, &large)
	require.Equal(t, int64(bytes), large.Bytes)
	require.Less(t, len(l.Regs[0].Values), 400, "each takes some two hundred bytes with its transition")
}
