package check_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/check"
)

// TestNoCosts: without the costs of passages, a report has the same verdicts otherwise.
func TestNoCosts(t *testing.T) {
	any, err := check.ParseCrashes("any")
	require.NoError(t, err)
	for name, crashes := range map[string]*check.Crashes{"peterson/peterson": nil, "recoverable/rtas": &any} {
		a, err := catalog.Get(name)
		require.NoError(t, err)
		reports := func(noCosts bool) *check.Report {
			return reportsOf(t, check.Options{N: []int{2}, Crashes: crashes, NoCosts: noCosts}, a)[0]
		}
		with, without := reports(false), reports(true)
		if crashes == nil {
			require.NotNil(t, with.RMR, name)
			require.NotNil(t, with.Costs, name)
			with.RMR, with.Costs = nil, nil
		} else {
			require.NotNil(t, with.Crashes.RMR, name)
			with.Crashes.RMR = nil
		}
		with.Seconds, with.Bytes = without.Seconds, without.Bytes
		want, err := json.Marshal(with)
		require.NoError(t, err)
		got, err := json.Marshal(without)
		require.NoError(t, err)
		require.JSONEq(t, string(want), string(got), name)
	}
}
