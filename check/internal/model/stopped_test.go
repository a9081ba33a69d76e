package model

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check/internal/explore"
)

// steps is a system of one actor that counts to three. The second state is a violation of mutual exclusion.
type steps struct{}

func (steps) Words() int         { return 1 }
func (steps) Actors() int        { return 1 }
func (steps) Initial(s []uint64) { s[0] = 0 }

func (steps) Expand(s, out []uint64) (enabled uint64, bad explore.Bad) {
	if s[0] == 2 {
		bad = explore.Exclusion
	}
	out[0] = s[0] + 1
	if s[0] < 3 {
		enabled = 1
	}
	return enabled, bad
}

// TestFoundByThen: a search that is stopped says what it had found by then, and how far it came.
func TestFoundByThen(t *testing.T) {
	g := explore.Run(t.Context(), steps{}, explore.Options{Keep: true})
	err := (&Lock{}).stopped(g, nil)
	require.EqualError(t, err, "stopped at 4 states, 3 steps deep, while learning the values of the registers")
	var stopped *Stopped
	require.ErrorAs(t, err, &stopped)
	require.Equal(t, map[explore.Bad][]int{explore.Exclusion: {0, 0}}, stopped.Found)
}
