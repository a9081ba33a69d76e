package main

import (
	"flag"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFlags: all verbs together have at most 120 flags; each verb shows at most ten before
// the first heading, and its tables name its own flags.
func TestFlags(t *testing.T) {
	all := 0
	for _, v := range verbs {
		require.NoError(t, v.CheckTable())
		fs := flag.NewFlagSet(v.Name, flag.ContinueOnError)
		v.Setup(fs)
		n := 0
		fs.VisitAll(func(*flag.Flag) { n++ })
		if all += n; n > 10 {
			require.NotEmpty(t, v.Groups, v.Name)
		}
		for old := range v.Renamed {
			require.Nil(t, fs.Lookup(old), "%s -%s is there still", v.Name, old)
		}
	}
	require.LessOrEqual(t, all, 120)
}
