package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/bench"
)

// TestSelection: the name of a lock is that lock, the name of a family its locks, and
// anything else a regular expression.
func TestSelection(t *testing.T) {
	names := func(alg string, variants bool) (all []string) {
		found, err := selection{alg, variants}.locks()
		require.NoError(t, err, alg)
		for _, a := range found {
			all = append(all, a.Name)
		}
		return all
	}
	require.Equal(t, []string{"queue/mcs"}, names("queue/mcs", false))
	require.Equal(t, []string{"queue/mcs", "queue/mcs-padded", "queue/mcs-released", "queue/mcs-padded-released"}, names("queue/mcs", true))
	require.Equal(t, []string{"queue/mcs-padded"}, names("queue/mcs-padded", false))
	require.Equal(t, []string{"tas/tas", "tas/ttas", "tas/backoff"}, names("tas", false))
	require.Equal(t, names("tas", false), names("tas/", false))
	require.Contains(t, names("tas", true), "tas/ttas-released")
	require.Equal(t, []string{"queue/mcs", "queue/mcs-padded", "queue/mcs-released", "queue/mcs-padded-released"}, names("queue/mcs(-.*)?$", false))
	require.Greater(t, len(names(".", false)), 300)
	for _, name := range names("queue", true) {
		require.Equal(t, "queue", bench.Family(name))
	}
	_, err := selection{"mcs$", true}.locks()
	require.EqualError(t, err, "-variants needs the name of a lock or a family, not a regular expression")
	_, err = selection{"", true}.locks()
	require.Error(t, err)
}

// TestOneArgument: the name of a lock stands for itself behind -alg.
func TestOneArgument(t *testing.T) {
	out, diag, code := shmbench(t.Context(), "check", "peterson/peterson", "-procs", "2", "-replays", "0")
	require.Equal(t, exitHolds, code, diag)
	require.Contains(t, out, "peterson/peterson ")
	require.NotContains(t, out, "peterson/peterson-padded")
	for says, args := range map[string][]string{
		`unexpected argument "tas/tas": give one name, or -alg with a regular expression`: {"check", "queue/mcs", "tas/tas"},
		`unexpected argument "tas/tas": -alg is given too`:                                {"check", "-alg", "queue/mcs", "tas/tas"},
		`no lock matches; did you mean "bakery/lamport"?`:                                 {"run", "bakry"},
	} {
		_, diag, code := shmbench(t.Context(), args...)
		require.Equal(t, exitUsage, code)
		require.Contains(t, diag, says)
	}
}
