package kills

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAim: a process kills itself before one access of the chosen section, from the chosen passage on.
func TestAim(t *testing.T) {
	l := &life{death: death{Section: Entry, Passage: 2}, random: rand.New(rand.NewPCG(1, 1))}
	l.seen[Entry] = 3
	aimed := map[int]int{}
	for range 100 {
		l.aim()
		aimed[l.at]++
	}
	require.Equal(t, map[int]int{0: 100}, aimed, "the passage is too early")
	clear(aimed)
	for l.passage = 2; l.passage <= 2+missed; l.passage++ {
		for range 100 {
			l.aim()
			aimed[l.at]++
			require.Equal(t, Entry, l.Section)
		}
	}
	require.Len(t, aimed, 3)
	require.Greater(t, min(aimed[1], aimed[2], aimed[3]), 200)

	for _, c := range []struct {
		section, accesses int
		is                bool
	}{{Entry, 2, true}, {Entry, 1, false}, {Entry, 3, false}, {Exit, 2, false}} {
		l.section, l.accesses, l.at = c.section, c.accesses, 2
		require.Equal(t, c.is, l.isAimedAt(), "%+v", c)
	}
	l.aim()
	require.Equal(t, Critical, l.Section, "its death did not come")
}
