package analyse_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check/internal/analyse"
	"shmbench/check/internal/interp"
	"shmbench/shm"
)

// inModes returns the space of a system. By state, process 0 makes passages of the given modes. Process 1 is a writer where
// writers has its state, and else a reader.
func (d drawn) inModes(t *testing.T, writers []int, modes ...shm.Mode) *analyse.Space {
	s := d.space(t)
	of := [][]analyse.Passage{nil, nil}
	for _, m := range modes {
		of[0], of[1] = append(of[0], analyse.Passage{Mode: m}), append(of[1], analyse.Passage{Mode: shm.Shared})
	}
	for _, w := range writers {
		of[1][w].Mode = shm.Exclusive
	}
	s.Modes(of)
	return s
}

// TestLoneFailure: a TryLock that fails while no other process is in a passage. One that enters, or that still tries, does not
// fail.
func TestLoneFailure(t *testing.T) {
	const none, try = shm.Exclusive, shm.Try
	for name, c := range map[string]struct {
		d     drawn
		modes []shm.Mode
		want  *analyse.Failure
	}{
		"fails at once":      {drawn{{"rr", [2]int{1, -1}}, {"rr", [2]int{0, -1}}}, []shm.Mode{none, try}, &analyse.Failure{Mode: try, From: 1, Path: []int{0}}},
		"fails later":        {drawn{{"rr", [2]int{1, -1}}, {"er", [2]int{2, -1}}, {"rr", [2]int{-1, -1}}}, []shm.Mode{try, try, none}, &analyse.Failure{Mode: try, Path: []int{0, 0}}},
		"enters":             {drawn{{"rr", [2]int{1, -1}}, {"cr", [2]int{0, -1}}}, []shm.Mode{try, try}, nil},
		"waits":              {drawn{{"rr", [2]int{0, -1}}}, []shm.Mode{try}, nil},
		"has no step":        {drawn{{"rr", [2]int{-1, -1}}}, []shm.Mode{try}, nil},
		"is no try":          {drawn{{"rr", [2]int{1, -1}}, {"er", [2]int{0, -1}}}, []shm.Mode{none, none}, nil},
		"fails among others": {drawn{{"re", [2]int{1, -1}}, {"re", [2]int{0, -1}}}, []shm.Mode{none, try}, nil},
	} {
		require.Equal(t, c.want, c.d.inModes(t, nil, c.modes...).LoneFailure(), name)
	}
}

// TestReadTogether: two processes are in critical sections as readers.
func TestReadTogether(t *testing.T) {
	d := drawn{{"rc", [2]int{1, -1}}, {"cc", [2]int{-1, -1}}}
	for name, c := range map[string]struct {
		mode    shm.Mode
		writers []int
		ok      bool
	}{
		"two readers": {shm.Shared, nil, true}, "a reader and a writer": {shm.Shared, []int{1}, false}, "a writer and a reader": {shm.Exclusive, nil, false},
	} {
		id, ok := d.inModes(t, c.writers, c.mode, c.mode).ReadTogether()
		require.Equal(t, c.ok, ok, name)
		if ok {
			require.Equal(t, uint32(1), id, name)
		}
	}
}

// TestSpinsAmongReaders: a reader waits while there is no writer. It may wait for one.
func TestSpinsAmongReaders(t *testing.T) {
	d := drawn{{"rr", [2]int{2, 1}}, {"rc", [2]int{3, -1}}, {"er", [2]int{2, 3}}, {"ec", [2]int{3, 2}}}
	modes := []shm.Mode{shm.Shared, shm.Shared, shm.Shared, shm.Shared}
	l := d.inModes(t, nil, modes...).SpinsAmongReaders(0)
	require.NotNil(t, l)
	waits := drawn{{"rc", [2]int{1, -1}}, {"ec", [2]int{1, 2}}, {"er", [2]int{3, -1}}, {"cr", [2]int{-1, -1}}}
	require.NotNil(t, waits.inModes(t, nil, modes...).SpinsAmongReaders(0), "it waits for a reader")
	require.Nil(t, waits.inModes(t, []int{0, 1}, modes...).SpinsAmongReaders(0), "it waits for a writer")
	require.Nil(t, waits.inModes(t, nil, shm.Exclusive, shm.Exclusive, shm.Exclusive, shm.Exclusive).SpinsAmongReaders(0), "a writer waits")
	require.Equal(t, interp.Entry, waits.space(t).Section(1, 0))
}
