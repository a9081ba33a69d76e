package crew

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMarks: a mark is set if any worker has set it, in its row.
func TestMarks(t *testing.T) {
	m := NewMarks(3, []int{2, 0, 3})
	m.Set(0, 0, 1)
	m.Set(0, 0, 1)
	m.Set(1, 2, 0)
	m.Set(1, 0, 1)
	m.Set(2, 2, 2)
	require.Equal(t, [][]bool{{false, true}, {}, {true, false, true}}, m.Union())

	one := NewMarks(1, []int{2})
	one.Set(0, 0, 0)
	require.Equal(t, [][]bool{{true, false}}, one.Union(), "a single worker")
	require.Equal(t, [][]bool{{false, false}}, NewMarks(2, []int{2}).Union())
}
