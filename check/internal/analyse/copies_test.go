package analyse

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check/internal/cache"
)

// TestPack: the caches that make a difference are numbered from 0. A cache has the number of one that makes the same difference.
func TestPack(t *testing.T) {
	const shared, exclusive = cache.Shared, cache.Exclusive
	for _, c := range []struct {
		kept, copied uint64
		packed       uint32
	}{
		{0, 3, 0},
		{shared, 0, 0}, {shared, shared, 1},
		{shared, exclusive, 1}, // which is a copy
		{exclusive, shared, 0}, {exclusive, exclusive, 1},
		{shared | exclusive, shared, 1}, {shared | exclusive, exclusive, 2},
		{shared<<2 | shared<<6, shared << 2, 1}, {shared<<2 | shared<<6, shared << 6, 2}, {shared<<2 | shared<<6, shared<<2 | shared<<4 | shared<<6, 3},
	} {
		of := &copies{kept: []uint64{0, c.kept}}
		require.Equal(t, c.packed, of.pack(1, cache.Cache(c.copied)), c)
	}
	of := &copies{kept: []uint64{0, shared<<2 | exclusive<<4 | shared<<10}}
	require.Equal(t, uint64(8), of.packed(1))
	for packed := range uint32(8) {
		require.Equal(t, packed, of.pack(1, of.unpack(1, packed)))
	}
	require.Equal(t, cache.Cache(exclusive<<4|shared<<10), of.unpack(1, 6))
}
