package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check"
	"shmbench/internal/results/document"
	"shmbench/shm"
)

// TestReplayFileBegins: an empty line stands between two traces, and none before the first one.
func TestReplayFileBegins(t *testing.T) {
	file := filepath.Join(t.TempDir(), "trace.json")
	text, err := json.Marshal(map[string]any{"format": document.Trace, "results": []*check.Trace{{N: 2, Property: check.MutualExclusion, RegisterModel: shm.Regular, Cycle: -1}}})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, text, 0o666))
	out, diag, status := shmbench(t.Context(), "check", "-replay", file)
	require.Equal(t, exitUsage, status)
	require.Contains(t, diag, "a trace on regular registers cannot be run")
	require.Empty(t, out)
}

// TestReplayRefuses: a schedule is of one lock with one number of processes that the lock is for.
func TestReplayRefuses(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"peterson/peterson"}, "-replay with a schedule needs one number of processes: give it with -procs"},
		{[]string{"peterson/peterson", "-procs", "1,2"}, "-replay with a schedule needs one number of processes: give it with -procs"},
		{[]string{"-procs", "2"}, "-replay with a schedule needs one lock: give its name or the path of its package"},
		{[]string{"-procs", "2", "-alg", "^peterson/(peterson|priority)$"}, "-replay with a schedule is of one lock, and -alg ^peterson/(peterson|priority)$ matches 2"},
		{[]string{"-procs", "2", "-alg", "nosuchlock"}, "nosuchlock"},
		{[]string{"-procs", "3", "peterson/peterson"}, "peterson/peterson: cannot be built for n = 3, only for 1 to 2"},
		{[]string{"-procs", "2", "-known-broken", "-alg", "hyman|peterson-regular"}, "-replay with a schedule is of one lock, and -alg hyman|peterson-regular matches 2"},
		{[]string{"-procs", "2", "-known-broken", "-alg", "nosuchlock"}, "nosuchlock"},
		{[]string{"-procs", "3", "-known-broken", "-alg", "hyman"}, "knownbroken/hyman: cannot be built for n = 3, only for 2"},
	} {
		out, diag, status := shmbench(t.Context(), append([]string{"check", "-replay", "0,1"}, c.args...)...)
		require.Equal(t, exitUsage, status, "%v: %s", c.args, out)
		require.Contains(t, diag, c.want)
		require.Empty(t, out)
	}
}
