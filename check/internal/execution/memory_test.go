package execution_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check/internal/execution"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/explored"
	"shmbench/check/internal/interp"
	"shmbench/check/internal/model"
	"shmbench/shm"
)

// TestOverlapping: on registers that are not atomic a write begins and ends. A load that overlaps it returns
// any of the values that it may find, and is not what compiled code finds. Of two writes that overlap, either
// can be the last. On a safe register the last one can leave any value.
func TestOverlapping(t *testing.T) {
	l := written(t, petersons)
	learned, err := l.Learn(t.Context(), 2, model.Options{})
	require.NoError(t, err)
	for _, registers := range []shm.RegisterModel{shm.Safe, shm.Regular} {
		left, injected := "2  turn := 1 ends", interp.Value(nil)
		if registers == shm.Safe {
			left, injected = "2  turn := 1 ends, leaves 0", interp.Num(0)
		}
		x, err := explored.NotAtomic(t.Context(), l, learned, explore.Options{}, registers)
		require.NoError(t, err)
		require.Equal(t, execution.Terms{Memory: "sc", Registers: registers}, x.Memory.Terms())
		require.Equal(t, explore.Actors{N: 2, Parties: 2, Count: 4}, x.Memory.Actors())
		run := x.Begin()
		for _, c := range []struct {
			actor         int
			text, section string
		}{
			{0, "1  want[0] := true begins", "entry"},
			{0, "1  want[0] := true ends", "entry"},
			{1, "1  want[1] := true begins", "entry"},
			{1, "1  want[1] := true ends", "entry"},
			{0, "2  turn := 0 begins", "entry"},
			{0, "2  turn := 0 ends", "entry"},
			{2, "3  want[1] = true", "entry"},
			{1, "2  turn := 1 begins", "entry"},
			{2, "3  turn = 1 (overlaps a write: 0 or 1) [enters]", "critical"},
			{1, "2  turn := 1 ends", "entry"},
			{3, "3  want[0] = true", "entry"},
			{0, "4  want[0] := false begins [leaves]", "exit"},
			{3, "3  turn = 1", "entry"},
			{0, "4  want[0] := false ends [is done]", "remainder"},
			{1, "3  want[0] = false [enters]", "critical"},
			{0, "1  want[0] := true begins", "entry"},
			{1, "4  want[1] := false begins [leaves]", "exit"},
		} {
			require.False(t, run.Stands(c.actor), c.text)
			taken, err := run.Take(c.actor)
			require.NoError(t, err)
			step := run.Describe(taken)
			require.Equal(t, c.text, step.What())
			require.Equal(t, c.section, step.Section)
			require.Equal(t, c.section, run.Local()[step.Process].Section.String())
			if len(step.May) > 0 {
				require.Equal(t, interp.Num(1), taken.Injected, "memory has 0 until the write ends")
			} else {
				require.Nil(t, taken.Injected, c.text)
			}
		}
		_, err = run.Take(5)
		require.EqualError(t, err, "actor 5 has no step to make")
		require.True(t, run.Stands(5))

		run = x.Begin()
		_, texts := made(t, run, 0, 0, 1, 1, 0, 1)
		require.Equal(t, []string{"0: 2  turn := 0 begins", "1: 2  turn := 1 begins"}, texts[4:])
		taken, err := run.Take(1)
		require.NoError(t, err)
		require.Equal(t, left, run.Describe(taken).What())
		require.Equal(t, injected, taken.Injected)
		_, texts = made(t, run, 2, 3)
		require.Equal(t, []string{"0: 2  turn := 0 ends, leaves 1", "1: 3  want[0] = true"}, texts)
	}
}

// TestCutOff: an execution is cut off where a process would store what the register never has if it is atomic, and in
// no other state.
func TestCutOff(t *testing.T) {
	l := written(t, `package p

import "sync/atomic"

type L struct{ number [2]atomic.Uint64 }

func New(n int) *L { return new(L) }

func (l *L) Lock(i int) {
	mine := l.number[1-i].Load() + 1
	l.number[i].Store(mine)
	for {
		if other := l.number[1-i].Load(); other == 0 || other > mine {
			break
		}
	}
}

func (l *L) Unlock(i int) { l.number[i].Store(0) }
`)
	learned, err := l.Learn(t.Context(), 2, model.Options{})
	require.NoError(t, err)
	x, err := explored.NotAtomic(t.Context(), l, learned, explore.Options{}, shm.Safe)
	require.NoError(t, err)
	require.True(t, x.Memory.Terms().Overflows)
	cut := 0
	for id := range x.Graph.States {
		for pid := range 2 {
			if x.Memory.CutOff(x.Graph.State(uint32(id)), pid) {
				cut++
			}
		}
	}
	require.False(t, x.Memory.CutOff(x.Graph.State(0), 0))
	require.Positive(t, cut)
	require.Less(t, cut, x.Graph.States)
}
