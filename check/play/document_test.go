package play

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestShort: values that are all equal are written as one number.
func TestShort(t *testing.T) {
	require.Nil(t, short(nil))
	require.Equal(t, int32(5), short([]int32{5}))
	require.Equal(t, int32(7), short([]int32{7, 7, 7}))
	require.Equal(t, []int32{1, 2, 2}, short([]int32{1, 2, 2}))
	require.Equal(t, []int32{2, 2, 1}, short([]int32{2, 2, 1}))
}
