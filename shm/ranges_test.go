package shm_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/shm"
)

// Ranges are the numbers of processes for which something holds, and no others.
func TestWhere(t *testing.T) {
	a := shm.Algorithm{MinProcs: 2, MaxProcs: 9}
	for _, c := range []struct {
		holds func(n int) bool
		want  shm.Ranges
	}{
		{func(int) bool { return true }, shm.Ranges{{2, 9}}},
		{func(int) bool { return false }, shm.Ranges{}},
		{func(n int) bool { return n%3 != 0 }, shm.Ranges{{2, 2}, {4, 5}, {7, 8}}},
		{func(n int) bool { return shm.TwoProcs.Of(n) != shm.Unbounded }, shm.Ranges{{2, 2}}},
	} {
		got := shm.Where(a, c.holds)
		require.Equal(t, c.want, got)
		for n := range 12 {
			require.Equal(t, n >= 2 && n <= 9 && c.holds(n), got.Has(n), n)
		}
	}
}

// Names and formulas are read as they are written.
func TestNamesAreReadBack(t *testing.T) {
	for class := shm.Class(0); class < 2*shm.Opaque-1; class++ {
		text, err := json.Marshal(class &^ 1) // 1 is no class
		require.NoError(t, err)
		var read shm.Class
		require.NoError(t, json.Unmarshal(text, &read))
		require.Equal(t, class&^1, read)
	}
	for _, mode := range []shm.Mode{shm.Exclusive, shm.Shared, shm.Try, shm.Until} {
		text, err := json.Marshal(mode)
		require.NoError(t, err)
		var read shm.Mode
		require.NoError(t, json.Unmarshal(text, &read))
		require.Equal(t, mode, read)
	}
	for _, layout := range []shm.Layout{shm.Packed, shm.Padded} {
		var read shm.Layout
		require.NoError(t, json.Unmarshal([]byte(`"`+layout.String()+`"`), &read))
		require.Equal(t, layout, read)
	}
	for _, stores := range []shm.Stores{shm.Sequential, shm.Released} {
		var read shm.Stores
		require.NoError(t, json.Unmarshal([]byte(`"`+stores.String()+`"`), &read))
		require.Equal(t, stores, read)
	}
	for formula, value := range map[string]int{shm.NMinus1.String(): shm.Unknown, shm.Formula{}.String(): shm.Unbounded} {
		var read shm.Formula
		require.NoError(t, json.Unmarshal([]byte(`"`+formula+`"`), &read))
		require.Equal(t, formula, read.String())
		require.Equal(t, value, read.Of(3))
	}
	require.Error(t, json.Unmarshal([]byte(`"wide"`), new(shm.Layout)))
	require.Error(t, json.Unmarshal([]byte(`"fenced"`), new(shm.Stores)))
	var class shm.Class
	require.EqualError(t, json.Unmarshal([]byte(`"swap+magic"`), &class), `there is no class of registers "swap+magic"`)
	require.Error(t, json.Unmarshal([]byte(`3`), &class))
	var mode shm.Mode
	require.EqualError(t, json.Unmarshal([]byte(`"fast"`), &mode), `there is no mode "fast"`)
	require.Error(t, json.Unmarshal([]byte(`3`), &mode))
}
