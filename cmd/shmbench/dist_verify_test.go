package main

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDistVerify(t *testing.T) {
	code, out, errs := runDist(t, context.Background(), "verify -alg raymond")
	require.Equal(t, exitHolds, code)
	require.Empty(t, errs)
	require.Regexp(t, `(?m)^raymond +holds\* +holds\* +holds\* +holds\* +holds\* +holds\* +deadlock freedom +- +- +deadlock freedom +- +mutual exclusion +deadlock freedom +deadlock freedom +deadlock freedom$`, out)

	code, _, errs = runDist(t, context.Background(), "verify -alg nope")
	require.Equal(t, exitUsage, code)
	require.Contains(t, errs, `-alg nope: no algorithm matches; -list shows the names`)

	ctx, stop := context.WithCancel(context.Background())
	stop()
	code, out, errs = runDist(t, ctx, "verify -json")
	require.Equal(t, exitUndecided, code)
	require.Contains(t, out, `"complete": false`)
	require.Equal(t, "shmbench dist verify: interrupted at central\n", errs)
}
