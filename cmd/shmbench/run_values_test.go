package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRateFlag(t *testing.T) {
	var r rateFlag
	require.Equal(t, "0", r.String())
	require.NoError(t, r.Set("sweep"))
	require.Equal(t, "sweep", r.String())
	require.NoError(t, r.Set("1e3"))
	require.Equal(t, rateFlag{rate: 1000}, r)
	for _, wrong := range []string{"x", "-1", "NaN", "Inf", "1e9"} {
		require.EqualError(t, r.Set(wrong), "write a number of arrivals a second between 0 and 100000000, or sweep", wrong)
	}
}
