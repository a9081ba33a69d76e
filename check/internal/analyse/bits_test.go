package analyse

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSet: what is in a set, and how many before it.
func TestSet(t *testing.T) {
	const states = 1_000
	s := newSet(states)
	in := func(id uint32) bool { return id%7 == 0 || id%64 == 63 || id == states-1 }
	for id := range uint32(states) {
		if in(id) {
			s.add(id)
		}
	}
	ranks, count := s.ranks(), uint32(0)
	for id := range uint32(states) {
		require.Equal(t, in(id), s.has(id), id)
		require.Equal(t, count, s.rank(ranks, id), id)
		if in(id) {
			count++
		}
	}
}
