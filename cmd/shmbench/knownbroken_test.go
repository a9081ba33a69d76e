package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog/knownbroken"
	"shmbench/cmd/shmbench/brokencheck"
)

// TestKnownBrokenVerdict: a published error that does not show what its specification says has failed,
// and its line says so.
func TestKnownBrokenVerdict(t *testing.T) {
	right := &brokencheck.Result{Lock: knownbroken.All()[0]}
	require.NoError(t, brokencheck.Results{right}.Err())
	wrong := &brokencheck.Result{Lock: knownbroken.All()[0], Wrong: []string{"it lacks nothing"}}
	require.Error(t, brokencheck.Results{right, wrong}.Err())
	require.Nil(t, wrong.Trace())
}
